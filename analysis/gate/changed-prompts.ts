/** Prompts that a study made for its tasks and that are not the same in all runs. */
import { counted } from '../../domain/counted.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { quoteText } from '../views.ts';
import type { Side } from './compared.ts';

/** By task id, the variants whose text differs between the runs, or that some lack while they have others like it. */
export type ChangedPrompts = ReadonlyMap<string, ReadonlySet<string>>;

/** Whether values are of all prompts of a task together, or of each by itself. */
export type ComparedPrompts = 'all' | 'each';

/** Empty for sides of one run. Runs without their texts (`archive --without prompts`) are taken to have the same. */
export async function changedPrompts(
  database: RunDatabase,
  sides: readonly Pick<Side, 'manifest' | 'study'>[],
): Promise<ChangedPrompts> {
  return variantsByTask(await changedVariants(database, sides));
}

/** @param compared how the study compares its prompts: where each is compared, one that a run lacks is no change */
export async function changedPromptsNotes(
  database: RunDatabase,
  sides: readonly Pick<Side, 'manifest' | 'study'>[],
  compared: ComparedPrompts | undefined,
): Promise<string[]> {
  const [side] = sides;
  if (compared === undefined || side === undefined) return [];
  const found = await changedVariants(database, sides);
  const tasks = variantsByTask(found.filter((row) => compared === 'all' || row['is_other'] === true)).size;
  const what =
    compared === 'all' ? 'these tasks are compared by their original prompts only' : 'these are not compared';
  return tasks === 0
    ? []
    : [
        `study ${side.study.name} has other prompts for ${counted(tasks, 'task')} in these runs: ${what}; give all ` +
          'runs one `variantSet`, or the same settings and seed',
      ];
}

async function changedVariants(
  database: RunDatabase,
  sides: readonly Pick<Side, 'manifest' | 'study'>[],
): Promise<readonly Row[]> {
  const studies = new Map(sides.map(({ manifest, study }) => [manifest.runId, study.name]));
  if (studies.size < 2) return [];
  const own = [...studies].map(([run, study]) => `(run = ${quoteText(run)} AND study = ${quoteText(study)})`);
  return records(
    database,
    `WITH asked AS (
       SELECT DISTINCT run, task_id, language, variant, md5(prompt) AS text,
         concat_ws(' ', augmentation, level) AS detail FROM variants
       WHERE (${own.join(' OR ')}) AND status <> 'missing' AND prompt IS NOT NULL),
     known AS (SELECT task_id, language, detail, count(DISTINCT run) AS runs FROM asked GROUP BY ALL)
     SELECT task_id, variant, count(DISTINCT text) > 1 AS is_other
     FROM asked JOIN known USING (task_id, language, detail)
     GROUP BY task_id, language, variant, runs HAVING is_other OR count(DISTINCT run) < runs ORDER BY ALL`,
  );
}

const variantsByTask = (rows: readonly Row[]): ChangedPrompts =>
  new Map(
    [...Map.groupBy(rows, (row) => textOf(row, 'task_id'))].map(([task, own]) => [
      task,
      new Set(own.map((row) => textOf(row, 'variant'))),
    ]),
  );
