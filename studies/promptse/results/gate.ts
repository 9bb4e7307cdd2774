/**
 * PromptSE in comparisons: each task's normalised area under its elasticity curve, and its excess over
 * the noise floor, by both methods.
 */
import { changedPrompts } from '../../../analysis/gate/changed-prompts.ts';
import { haveSameSettings } from '../../../analysis/gate/needed-settings.ts';
import { areaNumbers, excessNumbers } from './answer-numbers.ts';
import { elasticityExtremes, type OpenElasticities } from './elasticity/elasticity-extremes.ts';
import { elasticityRows, type Method, methods } from './elasticity/elasticity-rows.ts';
import { type ElasticityValues, elasticityValues } from './elasticity/elasticity-values.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import {
  comparedTasks,
  type GateSource,
  openTasks,
  plainSubject,
  sharedTasks,
  type Side,
  sideRows,
} from '../../../analysis/gate/compared.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;

/** The published area is at most 2/3, and so is its distance from the floor. */
export const mostArea = 2 / 3;

/** Only sides with the same numbers of answers are compared, on tasks with the same prompts. */
export const elasticitySource: GateSource<PromptseStudy> = async (database, { sides, changed: changedTasks }) => {
  const [{ study }] = sides;
  const changed = changedTasks.union(await changedPrompts(database, sides));
  const found = await Promise.all(sides.map((side) => openElasticities(database, side, changed)));
  return methods.flatMap((method) => {
    const own = found.map((side) => side[method]);
    const of = (metric: ElasticityMetric, area: keyof ElasticityValues, [lo, hi]: [number, number]) => {
      const values = own.map((side) => side[area]);
      const tasks = sharedTasks(
        values.map((side) => side.values),
        changed,
      );
      const open = openTasks(values, changed);
      const compared = comparedTasks(
        plainSubject(metric, study.benchmark, method),
        { ...tasks, ...(open && { open: open.open }) },
        { kind: 'bounded', lo, hi },
        open?.inGate ?? null,
      );
      const why = unmeasured(
        sides.map((side) => side.study),
        method,
        metric,
      );
      return { ...compared, ...(why !== null && { unmeasured: why }) };
    };
    return [
      ...(haveSameSettings(sides, areaNumbers[method]) ? [of('auc_e_normalized', 'normalized', [0, 1])] : []),
      ...(haveSameSettings(sides, excessNumbers[method]) ? [of('auc_e_excess', 'excess', [-mostArea, mostArea])] : []),
    ];
  });
};

type ElasticityMetric = 'auc_e_normalized' | 'auc_e_excess';

/** Why the settings of none of these studies give the metric a value; null if those of one do. */
function unmeasured(studies: readonly PromptseStudy[], method: Method, metric: ElasticityMetric): string | null {
  if (method === 'full' && studies.every(({ settings }) => !settings.logprobs))
    return 'not measured with `logprobs: false`';
  if (metric === 'auc_e_excess' && studies.every(({ repetitions }) => repetitions === 1))
    return 'not measured with `repetitions: 1`, which gives no noise floor; set 2 or more';
  return null;
}

/**
 * By method, a side's values with what they may be with the answers that could not be judged, without the changed
 * tasks. Computed from the prompts' scores, which exist while the run is active too.
 */
export async function openElasticities(
  database: RunDatabase,
  side: Side<PromptseStudy>,
  changed: ReadonlySet<string>,
): Promise<Readonly<Record<Method, OpenElasticities>>> {
  const { variants, logprobs, lightSamples } = side.study.settings;
  const all = await records(database, `from ${sideRows(database, 'prompt_scores', side)}`);
  const scores = all.filter((row) => !changed.has(String(row['task_id'])));
  const rows = elasticityRows(scores, variants);
  const of = (method: Method): OpenElasticities => {
    const values = elasticityValues(rows.filter((row) => row['method'] === method));
    return elasticityExtremes(scores, { method, values, logprobs, lightSamples });
  };
  return { full: of('full'), light: of('light') };
}
