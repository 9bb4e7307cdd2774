/** Converts imported answers to the lines of a replay file. */
import { InputError } from '../../../domain/errors.ts';
import { knownHint } from '../../../domain/nearest.ts';
import type { ReplayLine } from '../../providers/replay-line.ts';
import type { ImportedAnswer, ImportedFault, ImportRequest, ReadAnswers } from './import-format.ts';
import { type KnownTasks, knownTasks } from './known-tasks.ts';

export interface Imported {
  readonly tasks: number;
  readonly samples: number;
  /** The least and the most samples of a task. */
  readonly perTask: readonly [least: number, most: number];
  /** Ids of the tasks, as the file has them. */
  readonly taskIds: readonly string[];
  /** Whether there are verdicts of the other tool. */
  readonly hasVerdicts: boolean;
  /** The tool's own faults: they are not answers. */
  readonly faults: readonly ImportedFault[];
  /** Answers whose record has a second text, which was left. */
  readonly withLeft: readonly ImportedAnswer[];
  readonly lines: readonly ReplayLine[];
}

/**
 * @param model only this model's answers; null: the file may have those of one model only
 * @throws InputError with the place of what breaks the format, and with all places of tasks that the benchmark lacks
 */
export async function importedLines(
  read: ReadAnswers,
  request: ImportRequest,
  model: string | null,
): Promise<Imported> {
  const { answers, faults } = await collected(read, request, model);
  if (answers.length === 0)
    throw new InputError(faults[0] === undefined ? 'has no samples' : `has no answers: ${faults[0].fault}`, {
      file: request.path,
    });
  const known = knownTasks(request.tasks, [...answers, ...faults]);
  const byTask = Map.groupBy(answers, ({ taskId }) => taskId);
  const counts = [...byTask.values()].map(({ length }) => length);
  return {
    tasks: byTask.size,
    samples: answers.length,
    perTask: [Math.min(...counts), Math.max(...counts)],
    taskIds: [...byTask.keys()],
    hasVerdicts: answers.some(({ recorded }) => recorded !== undefined),
    faults,
    withLeft: answers.filter(({ left }) => left !== undefined),
    lines: [...byTask].flatMap(([taskId, own]) =>
      linesOf(
        taskId,
        own.map((answer) => replyOf(answer, known)),
      ),
    ),
  };
}

async function collected(
  read: ReadAnswers,
  request: ImportRequest,
  model: string | null,
): Promise<{ answers: ImportedAnswer[]; faults: ImportedFault[] }> {
  const answers: ImportedAnswer[] = [];
  const faults: ImportedFault[] = [];
  for await (const found of read(request)) {
    if ('fault' in found) faults.push(found);
    else answers.push(found);
  }
  const models = [...new Set(answers.flatMap((answer) => answer.model ?? []))];
  if (model === null && models.length > 1)
    throw new InputError(`the file has answers of ${models.join(', ')}: name one`, { field: '--model' });
  if (model !== null && !models.includes(model))
    throw new InputError(`no answer of "${model}" in the file; ${knownHint(model, models)}`, { field: '--model' });
  return { answers: model === null ? answers : answers.filter((answer) => answer.model === model), faults };
}

type Reply = Pick<ReplayLine, 'reply' | 'model' | 'finish_reason' | 'input_tokens' | 'output_tokens' | 'extracted'> &
  Pick<ReplayLine, 'recorded'>;

/** A continuation of an unknown prompt is a reply: the rule of plain pass@k completes it when it is judged. */
function replyOf(answer: ImportedAnswer, known: KnownTasks | null): Reply {
  const { text, holds, model, finishReason, inputTokens, outputTokens, recorded } = answer;
  const prompt = holds === 'continuation' ? known?.get(answer.taskId)?.prompt : undefined;
  const isProgram = holds === 'program' || prompt !== undefined;
  return {
    reply: prompt === undefined ? text : prompt + text,
    ...(model !== undefined && { model }),
    ...(finishReason !== undefined && { finish_reason: finishReason }),
    ...(inputTokens !== undefined && { input_tokens: inputTokens }),
    ...(outputTokens !== undefined && { output_tokens: outputTokens }),
    ...(isProgram && { extracted: true }),
    ...(recorded !== undefined && { recorded: [...recorded] }),
  };
}

/**
 * If a task has a single sample, it answers every question for the task's code. Of several, the n-th is the n-th
 * repetition (RobuNFR) and the n-th draw (PromptSE, plain pass@k).
 */
function linesOf(task_id: string, replies: readonly Reply[]): ReplayLine[] {
  const line = (reply: Reply, at: Partial<ReplayLine> = {}): ReplayLine => ({
    task_id,
    step: 'generate',
    ...at,
    ...reply,
  });
  const [first, ...others] = replies;
  if (first === undefined || others.length === 0) return replies.map((reply) => line(reply));
  const numbered = others.flatMap((reply, index) => [
    line(reply, { repetition: index + 1, sample: 0 }),
    line(reply, { repetition: 0, sample: index + 1 }),
  ]);
  return [line(first, { repetition: 0, sample: 0 }), ...numbered];
}
