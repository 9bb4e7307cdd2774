/**
 * Reads published samples of a model (in the format of human-eval and EvalPlus: a task's id with a completion or a
 * solution) as lines of a replay file.
 */
import { z } from 'zod';
import { checkedRecord } from '../../domain/benchmarks/format.ts';
import { openRecords } from '../benchmarks/records.ts';
import type { ReplayLine } from '../providers/replay-line.ts';

/** Fields that an evaluation added to a line are ignored. */
const sampleSchema = z
  .object({ task_id: z.string().min(1), completion: z.string().optional(), solution: z.string().optional() })
  .refine(
    ({ completion, solution }) => (solution ?? completion) !== undefined,
    'invalid sample: it has neither a completion nor a solution',
  )
  .transform(({ task_id, completion, solution }) => ({ taskId: task_id, reply: solution ?? completion ?? '' }));

export interface SamplesFile {
  readonly tasks: number;
  readonly samples: number;
  /** The least and the most samples of a task. */
  readonly perTask: readonly [least: number, most: number];
  readonly lines: readonly ReplayLine[];
}

/** Throws `InputError` with file, line and field. */
export async function readSamples(file: string): Promise<SamplesFile> {
  const repliesByTask = new Map<string, string[]>();
  for await (const { record, at } of openRecords(file).records) {
    const { taskId, reply } = checkedRecord(sampleSchema, record, at);
    const replies = repliesByTask.get(taskId) ?? [];
    replies.push(reply);
    repliesByTask.set(taskId, replies);
  }
  const counts = [...repliesByTask.values()].map((replies) => replies.length);
  return {
    tasks: repliesByTask.size,
    samples: counts.reduce((sum, count) => sum + count, 0),
    perTask: counts.length === 0 ? [0, 0] : [Math.min(...counts), Math.max(...counts)],
    lines: [...repliesByTask].flatMap(([taskId, replies]) => linesOf(taskId, replies)),
  };
}

/**
 * If a task has a single sample, it answers every question for the task's code. Of several, the n-th is the n-th
 * repetition (RobuNFR) and the n-th draw (PromptSE, plain pass@k).
 */
function linesOf(task_id: string, replies: readonly string[]): ReplayLine[] {
  const line = (reply: string, at: Partial<ReplayLine> = {}): ReplayLine => ({
    task_id,
    step: 'generate',
    ...at,
    reply,
  });
  const [first, ...others] = replies;
  if (first === undefined || others.length === 0) return replies.map((reply) => line(reply));
  const numbered = others.flatMap((reply, index) => [
    line(reply, { repetition: index + 1, sample: 0 }),
    line(reply, { repetition: 0, sample: index + 1 }),
  ]);
  return [line(first, { repetition: 0, sample: 0 }), ...numbered];
}
