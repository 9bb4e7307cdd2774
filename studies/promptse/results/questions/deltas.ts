/** Signed changes of the pass rate between the original and its variants, by the unit of |delta pass|. */
import type { RunDatabase } from '../../../../analysis/database.ts';
import { records } from '../../../../analysis/records.ts';
import { quoteText } from '../../../../analysis/views.ts';
import type { ModelFacts } from '../../../../domain/metrics/model-groups.ts';
import { keyOf, numberOf, numberOrNull, textOf } from '../../../../domain/metrics/row-order.ts';
import type { SpecStudy } from '../../../../schemas/spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { ModelAffect } from '../affect/model-affect.ts';
import { bySharedTasks, type ByTasks } from '../../../../domain/metrics/sides/nearly-all-tasks.ts';
import type { Delta } from './delta-effect.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;
export type DeltaUnit = PromptseStudy['settings']['deltaUnit'];

/** @param row of table `models`, or of one with its columns */
export const factsOf = (row: Row): ModelFacts => ({
  model: textOf(row, 'model'),
  family: row['family'] == null ? null : textOf(row, 'family'),
  sizeB: numberOrNull(row, 'size_b'),
});

/** Models by their values in `taskDeltas`, of a task and a distance each. */
export function deltaModels(byTask: readonly Row[]): ByTasks<string> {
  const counts = [...Map.groupBy(byTask, (row) => textOf(row, 'model'))].map(([model, rows]) => ({ model, rows }));
  const placesOf = (rows: readonly Row[]): ReadonlySet<string> =>
    new Set(rows.map((row) => keyOf(row, ['task_id', 'language', 'distance'])));
  const { nearlyAll, fewer } = bySharedTasks(counts, ({ rows }) => placesOf(rows));
  return { nearlyAll: nearlyAll.map(({ model }) => model), fewer: fewer.map(({ model }) => model) };
}

/**
 * Signed deltas by a unit, of models with values of nearly all tasks; see delta-effect.ts.
 * @param affect only used for the unit `emotion`
 */
export function deltasOf(
  models: readonly ModelFacts[],
  byTask: readonly Row[],
  affect: readonly Pick<ModelAffect, 'model' | 'deltas'>[],
  unit: DeltaUnit,
): Delta[] {
  const facts = new Map(models.map((one) => [one.model, one]));
  const known = (model: string): ModelFacts => facts.get(model) ?? { model, family: null, sizeB: null };
  const compared = new Set(deltaModels(byTask).nearlyAll);
  if (unit === 'emotion')
    return affect
      .filter(({ model }) => compared.has(model))
      .flatMap(({ model, deltas }) =>
        deltas.map(({ distance, delta }) => ({ ...known(model), cluster: model, distance, delta })),
      );
  const comparable = byTask.filter((row) => compared.has(textOf(row, 'model')));
  const tasks = comparable.map((row) => ({
    ...known(textOf(row, 'model')),
    cluster: textOf(row, 'task_id'),
    distance: numberOf(row, 'distance'),
    delta: numberOf(row, 'delta'),
  }));
  return unit === 'task' ? tasks : overTasks(tasks);
}

/**
 * Pass(d) - Pass(p) of each task and distance: the variants' mean pass rate minus that of the original's first draw,
 * over all samples, even if PromptSELight uses fewer. Lists are ordered, so that sums do not depend
 * on the number of threads.
 */
export const taskDeltas = (database: RunDatabase, run: string, study: string): Promise<Row[]> =>
  records(
    database,
    `WITH own AS (SELECT * FROM prompt_scores WHERE run = ${quoteText(run)} AND study = ${quoteText(study)} AND
      repetition = 0 AND n_samples > 0),
       baseline AS (SELECT model, benchmark, language, setting, task_id,
         pass_rate AS original FROM own WHERE variant = 'original')
     SELECT model, benchmark, language, setting, task_id, distance,
       list_avg(list(pass_rate ORDER BY variant)) - any_value(original) AS delta
     FROM own JOIN baseline USING (model, benchmark, language, setting, task_id) WHERE distance IS NOT NULL
     GROUP BY model, benchmark, language, setting, task_id, distance ORDER BY ALL`,
  );

function overTasks(deltas: readonly Delta[]): Delta[] {
  const groups = Map.groupBy(deltas, ({ model, distance }) => JSON.stringify([model, distance]));
  return [...groups.values()].map((group) => {
    const first = group[0] as Delta;
    return { ...first, cluster: first.model, delta: group.reduce((sum, { delta }) => sum + delta, 0) / group.length };
  });
}
