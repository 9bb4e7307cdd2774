/**
 * A log of Inspect (`.eval`, version 2): one evaluation, a sample per answer; epochs are the answers of a task in
 * order. Scores: `evenkeel` for all suites and one per suite, C or I; none where evenkeel could not judge
 * (inspect_ai/log/_log.py; inspect_ai/log/_recorders/eval.py has the members of the archive).
 */
import { hash } from 'node:crypto';
import type { WriteFile } from './export-format.ts';
import { type Evaluation, evaluated, type NumberedAnswer } from './evaluation.ts';
import { passedOf } from './judged-answers.ts';
import { writeZip } from './zip-file.ts';

export const inspectArchive: WriteFile = async (source, file) => {
  const { evaluation, answers } = await evaluated(source);
  return writeInspect(evaluation, answers, file);
};

/** Returns the number of samples. */
export async function writeInspect(
  evaluation: Evaluation,
  answers: AsyncIterable<NumberedAnswer>,
  file: string,
): Promise<number> {
  const tally = createTally();
  await writeZip(file, membersOf(evaluation, answers, tally));
  return tally.samples;
}

interface Member {
  readonly name: string;
  readonly text: string;
}

async function* membersOf(
  evaluation: Evaluation,
  answers: AsyncIterable<NumberedAnswer>,
  tally: Tally,
): AsyncGenerator<Member> {
  const summaries: object[] = [];
  for await (const answer of answers) {
    const sample = sampleOf(evaluation, answer);
    tally.add(answer, sample.scores);
    summaries.push(summaryOf(sample));
    yield member(`samples/${pathOf(sample.id)}_epoch_${sample.epoch}.json`, sample);
  }
  const start = { version: 2, eval: specOf(evaluation, tally), plan: { name: 'plan', steps: [], config: {} } };
  yield member('_journal/start.json', start);
  yield member('_journal/summaries/1.json', summaries);
  yield member('summaries.json', summaries);
  yield member('header.json', {
    ...{ ...start, status: 'success', results: tally.results() },
    stats: {
      ...{ started_at: evaluation.startedAt, completed_at: evaluation.finishedAt },
      model_usage:
        tally.inputTokens === 0 ? {} : { [evaluation.model]: usageOf(tally.inputTokens, tally.outputTokens) },
    },
  });
}

/** As Inspect names its members, but where that is no relative path, or another id's in an archive. */
const pathOf = (id: string): string =>
  /[%\\]|^\/|(?:^|\/)\.{0,2}(?:\/|$)/.test(id)
    ? id.replace(/[%/\\]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    : id;

const member = (name: string, value: unknown): Member => ({ name, text: JSON.stringify(value) });

/** Ids of Inspect have 22 letters; equal runs give equal ids. */
const idOf = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);

const usageOf = (input: number, output: number) => ({
  ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
});

const allSuites = 'evenkeel';

const specOf = (evaluation: Evaluation, { taskIds, epochs, scorers }: Tally) => ({
  ...{ eval_id: idOf(evaluation.uuid, evaluation.study, evaluation.model), run_id: idOf(evaluation.uuid) },
  created: evaluation.startedAt,
  task: evaluation.study,
  task_id: idOf(evaluation.uuid, evaluation.study),
  task_version: 0,
  dataset: {
    ...{ name: evaluation.benchmark, samples: taskIds.length, sample_ids: [...taskIds], shuffled: false },
  },
  model: evaluation.model,
  model_args: {},
  model_generate_config: {},
  config: { epochs },
  packages: { evenkeel: evaluation.programVersion },
  scorers: scorers().map((name) => ({ name, metrics: [{ name: 'accuracy' }] })),
  metadata: {
    ...{ run: evaluation.run, kind: evaluation.kind, simulated: evaluation.simulated },
    ...{ requested_model: evaluation.requestedModel, provider: evaluation.provider },
    ...{ benchmark_format: evaluation.benchmarkFormat, benchmark_sha256: evaluation.benchmarkSha256 },
  },
});

interface Score {
  readonly value: 'C' | 'I';
  readonly answer: string | null;
  readonly explanation: string | null;
  readonly metadata: { readonly suite: string; readonly outcome: string };
}
type Scores = Readonly<Record<string, Score>>;

function scoresOf(answer: NumberedAnswer): Scores {
  const { outcome, suites, solution, failing_suite: failing, detail } = answer;
  const all = [{ suite: 'all suites', outcome }, ...suites];
  return Object.fromEntries(
    all.flatMap(({ suite, outcome: found }, index) => {
      const passed = passedOf(found);
      if (passed === null) return [];
      const explanation = passed || (index > 0 && suite !== failing) ? null : detail;
      const score: Score = {
        ...{ value: passed ? 'C' : 'I', answer: solution, explanation, metadata: { suite, outcome: found } },
      };
      return [[index === 0 ? allSuites : suite, score] as const];
    }),
  );
}

const stopReasons: Readonly<Record<string, string>> = {
  truncated: 'max_tokens',
  reply_too_long: 'max_tokens',
  prompt_too_long: 'model_length',
  content_filter: 'content_filter',
  refusal: 'content_filter',
};

function sampleOf({ model }: Evaluation, answer: NumberedAnswer) {
  const { source_task_id: id, epoch, reply, input_tokens: input, output_tokens: output, latency_ms: ms } = answer;
  const asked = messagesOf(answer);
  const message = { role: 'assistant', content: reply, source: 'generate', model };
  const usage = input === null || output === null ? null : usageOf(input, output);
  const { study, benchmark, task_id, language, variant, setting, repetition, loop, sample, reply_status } = answer;
  return {
    ...{ id, epoch, input: asked, target: '' },
    messages: [...asked, message],
    output: {
      model,
      choices: [{ message, stop_reason: stopReasons[reply_status] ?? 'stop' }],
      ...(usage !== null && { usage }),
      ...(ms !== null && { time: ms / 1000 }),
    },
    scores: scoresOf(answer),
    metadata: {
      ...{ study, benchmark, task_id, language, variant, setting, repetition, loop, sample, reply_status },
      counted: answer.counted,
    },
    ...{ store: {}, events: [], model_usage: usage === null ? {} : { [model]: usage }, attachments: {} },
  };
}
type Sample = ReturnType<typeof sampleOf>;

function messagesOf({ messages }: NumberedAnswer): { role: string; content: string }[] {
  return messages === null ? [] : (JSON.parse(messages) as { role: string; content: string }[]);
}

const summaryOf = ({ id, epoch, input, target, scores, metadata, model_usage, messages }: Sample) => ({
  ...{ id, epoch, input, target, scores, metadata, model_usage, completed: true, message_count: messages.length },
});

/** What the header says of all samples. */
interface Tally {
  readonly samples: number;
  readonly epochs: number;
  readonly taskIds: readonly string[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  scorers(): string[];
  add(answer: NumberedAnswer, scores: Scores): void;
  results(): object;
}

/** Accuracy is the mean over all scored samples, as Inspect's own metric over all epochs with the reducer mean. */
function createTally(): Tally {
  const right = new Map<string, { right: number; scored: number }>();
  const taskIds: string[] = [];
  const tally = { samples: 0, epochs: 1, taskIds, inputTokens: 0, outputTokens: 0 };
  return Object.assign(tally, {
    scorers: () => [...right.keys()],
    add: (
      { source_task_id: id, epoch, input_tokens: input, output_tokens: output }: NumberedAnswer,
      scores: Scores,
    ) => {
      tally.samples += 1;
      tally.epochs = Math.max(tally.epochs, epoch);
      tally.inputTokens += input ?? 0;
      tally.outputTokens += output ?? 0;
      if (epoch === 1) taskIds.push(id);
      for (const [name, { value }] of Object.entries(scores)) {
        const of = right.get(name) ?? { right: 0, scored: 0 };
        right.set(name, { right: of.right + (value === 'C' ? 1 : 0), scored: of.scored + 1 });
      }
    },
    results: () => ({
      ...{ total_samples: tally.samples, completed_samples: tally.samples },
      scores: [...right].map(([name, of]) => ({
        ...{ name, scorer: name, params: {} },
        ...{ scored_samples: of.scored, unscored_samples: tally.samples - of.scored },
        metrics: { accuracy: { name: 'accuracy', value: of.right / of.scored, params: {} } },
      })),
    }),
  });
}
