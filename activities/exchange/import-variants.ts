/**
 * Reads the variant sets that a spec names by file. They are read when a run is planned, and stored with it like
 * generated variants.
 */
import { resolve } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import { type VariantLine, type VariantRecord, variantLineSchema } from '../../schemas/variant.ts';
import { rulesOf, studyOf } from '../../studies/index.ts';
import { openLines } from '../benchmarks/records.ts';
import { parsedRecord } from './parsed-record.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import { createVariantStore } from '../pages/variants.ts';

/** Variants by study and task. */
export interface VariantSets {
  /** Stores the sets in a run; variants that the run already has stay. */
  keep(ledger: Ledger): Promise<void>;
}

/**
 * Reads the sets of all studies that name one.
 * @throws InputError for a file that cannot be read, a line that breaks a rule, and a set without any task of the study
 */
export async function readVariantSets(
  studies: readonly SpecStudy[],
  folder: string,
  tasksOf: (benchmark: string) => readonly Task[],
): Promise<VariantSets> {
  const sets: { study: SpecStudy; task: Task; records: readonly VariantRecord[] }[] = [];
  for (const study of studies) {
    const imported = studyOf(study).variants?.imported;
    const file = rulesOf(study)
      .fileSettings?.(study)
      .find(({ setting }) => setting === 'variantSet')?.file;
    if (imported === undefined || file === undefined) continue;
    const tasks = tasksOf(study.benchmark);
    const lines = await readSet(resolve(folder, file), study, tasks);
    for (const task of tasks) sets.push({ study, task, records: imported(study, task, lines.get(task.taskId) ?? []) });
  }
  return {
    keep: async (ledger) => {
      const store = createVariantStore(ledger);
      await Promise.all(sets.map(({ study, task, records }) => store.keep(study, task, records)));
    },
  };
}

async function readSet(file: string, { name }: SpecStudy, tasks: readonly Task[]): Promise<Map<string, VariantLine[]>> {
  const lines: VariantLine[] = [];
  for await (const { text, number } of openLines(file))
    if (text.trim() !== '') lines.push(parsedRecord(text, variantLineSchema, 'variant', { file, line: number }));
  const idOf = new Map(
    tasks.flatMap(({ taskId, sourceTaskId }) => [[taskId, taskId] as const, [sourceTaskId, taskId] as const]),
  );
  const known = lines.filter(({ task_id: id }) => idOf.has(id));
  if (known.length === 0) throw new InputError(`has no variant of any task of study ${name}`, { file });
  return Map.groupBy(known, ({ task_id: id }) => idOf.get(id) as string);
}
