/**
 * PromptSE in comparisons: each task's normalised area under its elasticity curve, and its excess over
 * the noise floor, by both methods.
 */
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

/** Only sides with the same numbers of answers are compared. */
export const elasticitySource: GateSource<PromptseStudy> = async (database, { sides, changed }) => {
  const [{ study }] = sides;
  const found = await Promise.all(sides.map((side) => openElasticities(database, side, changed)));
  return methods.flatMap((method) => {
    const own = found.map((side) => side[method]);
    const of = (
      metric: 'auc_e_normalized' | 'auc_e_excess',
      area: keyof ElasticityValues,
      [lo, hi]: [number, number],
    ) => {
      const values = own.map((side) => side[area]);
      const tasks = sharedTasks(
        values.map((side) => side.values),
        changed,
      );
      const open = openTasks(values, changed);
      return comparedTasks(
        plainSubject(metric, study.benchmark, method),
        { ...tasks, ...(open && { open: open.open }) },
        { kind: 'bounded', lo, hi },
        open?.inGate ?? null,
      );
    };
    return [
      ...(haveSameSettings(sides, areaNumbers[method]) ? [of('auc_e_normalized', 'normalized', [0, 1])] : []),
      ...(haveSameSettings(sides, excessNumbers[method]) ? [of('auc_e_excess', 'excess', [-mostArea, mostArea])] : []),
    ];
  });
};

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
