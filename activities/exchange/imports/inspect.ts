/**
 * Logs of Inspect: `.eval` (a zip archive with a member per sample) and `.json` (one document), version 2
 * (inspect_ai/log/_log.py, EvalLog; inspect_ai/log/_recorders/eval.py). The texts are replies; each scorer's score that
 * is right or wrong is a verdict on all tests.
 */
import { z } from 'zod';
import { InputError } from '../../../domain/errors.ts';
import type { RecordedVerdict } from '../../../schemas/chat.ts';
import { isArchive } from './file-content.ts';
import { parsedRecord } from '../parsed-record.ts';
import {
  allSuites,
  type ImportedAnswer,
  type ImportedFault,
  type ImportPlace,
  type ReadAnswers,
} from './import-format.ts';
import { jsonFile, readableJson } from './json-file.ts';
import { openZip } from './zip-members.ts';

const version = z.literal(2, 'only logs of version 2 can be read; `inspect log convert` writes it');
const headerSchema = z.object({ version, eval: z.object({ model: z.string() }) });
const textPart = z.looseObject({ type: z.string(), text: z.string().optional() });
const choiceSchema = z.object({
  message: z.object({ content: z.union([z.string(), z.array(textPart)]) }),
  stop_reason: z.string().nullish(),
});
const scoreSchema = z.object({
  value: z.unknown(),
  /** evenkeel's own logs name the suite. */
  metadata: z.object({ suite: z.string().min(1).optional().catch(undefined) }).nullish(),
});
const sampleSchema = z.object({
  id: z.union([z.string(), z.int().transform(String)]),
  epoch: z.int().min(1),
  output: z.object({
    choices: z.array(choiceSchema).default([]),
    usage: z.object({ input_tokens: z.int().min(0), output_tokens: z.int().min(0) }).nullish(),
    error: z.string().nullish(),
  }),
  scores: z.record(z.string(), scoreSchema).nullish(),
  error: z.object({ message: z.string() }).nullish(),
  attachments: z.record(z.string(), z.string()).default({}),
});
type Sample = z.infer<typeof sampleSchema>;
const logSchema = headerSchema.extend({ samples: z.array(sampleSchema).nullish() });

export const readInspect: ReadAnswers = async function* ({ path }) {
  const samples = (await isArchive(path)) ? await samplesOfArchive(path) : await samplesOfJson(path);
  if (samples.length === 0)
    throw new InputError('has no samples: run Inspect without --no-log-samples', { file: path });
  for (const { sample, model, at } of samples.toSorted((a, b) => a.sample.epoch - b.sample.epoch))
    yield found(sample, model, at);
};

interface PlacedSample {
  readonly sample: Sample;
  readonly model: string;
  readonly at: ImportPlace;
}

async function samplesOfJson(file: string): Promise<PlacedSample[]> {
  const { eval: header, samples } = await jsonFile(file, logSchema, 'Inspect log');
  return (samples ?? []).map((sample, index) => ({
    sample,
    model: header.model,
    at: { file, field: `samples[${index}]` },
  }));
}

/** A log of an evaluation that was cut off has no header yet, but its beginning. */
async function samplesOfArchive(file: string): Promise<PlacedSample[]> {
  const zip = await openZip(file);
  try {
    const start = '_journal/start.json';
    const name = !zip.names.includes('header.json') && zip.names.includes(start) ? start : 'header.json';
    const member = async <T>(one: string, schema: z.ZodType<T>, what: string): Promise<T> =>
      parsedRecord(readableJson(await zip.text(one)), schema, what, { file: `${file}/${one}` });
    const { model } = (await member(name, headerSchema, 'Inspect log')).eval;
    const placed: PlacedSample[] = [];
    for (const one of zip.names.filter((each) => /^samples\/.*\.json$/s.test(each)).sort(inOrder))
      placed.push({ sample: await member(one, sampleSchema, 'Inspect sample'), model, at: { file: `${file}/${one}` } });
    return placed;
  } finally {
    zip.close();
  }
}

const inOrder = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

function found(sample: Sample, model: string, at: ImportPlace): ImportedAnswer | ImportedFault {
  const { id: taskId, output, scores } = sample;
  const [choice] = output.choices;
  const fault = sample.error?.message ?? output.error ?? (choice === undefined ? 'no output' : null);
  if (choice === undefined || fault !== null) return { taskId, at, fault: fault ?? 'no output' };
  const recorded = Object.entries(scores ?? {}).flatMap(([scorer, score]) => verdict(scorer, score));
  return {
    ...{ taskId, at, model, holds: 'reply', text: textOf(choice, sample) },
    finishReason: finishReasons[choice.stop_reason ?? 'stop'] ?? 'other',
    ...(output.usage != null && { inputTokens: output.usage.input_tokens, outputTokens: output.usage.output_tokens }),
    ...(recorded.length > 0 && { recorded }),
  };
}

/** Long texts may be kept apart. Reasoning and images do not belong to the reply. */
function textOf({ message: { content } }: z.infer<typeof choiceSchema>, { attachments }: Sample): string {
  const parts =
    typeof content === 'string'
      ? [content]
      : content.flatMap(({ type, text }) => (type === 'text' ? (text ?? '') : []));
  return parts.map((part) => attached(part, attachments)).join('\n');
}

const protocol = 'attachment://';
function attached(part: string, attachments: Readonly<Record<string, string>>): string {
  const key = part.slice(protocol.length);
  return part.startsWith(protocol) && Object.hasOwn(attachments, key) ? (attachments[key] ?? part) : part;
}

const finishReasons: Readonly<Record<string, string>> = {
  stop: 'stop',
  max_tokens: 'length',
  model_length: 'length',
  content_filter: 'content_filter',
};

const rightOrWrong = new Map<unknown, boolean>([
  ...([
    ['C', true],
    ['I', false],
    ['N', false],
  ] as const),
  ...([
    [true, true],
    [false, false],
    [1, true],
    [0, false],
  ] as const),
]);

/** None for a score that is neither, such as a share of the tests. */
function verdict(scorer: string, { value, metadata }: z.infer<typeof scoreSchema>): RecordedVerdict[] {
  const passed = rightOrWrong.get(value);
  return passed === undefined ? [] : [{ by: `inspect/${scorer}`, suite: metadata?.suite ?? allSuites, passed }];
}
