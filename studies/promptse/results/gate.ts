/**
 * PromptSE in comparisons: each task's normalised area under its elasticity curve, and its excess over
 * the noise floor, by both methods.
 */
import { haveSameSettings } from '../../../analysis/gate/needed-settings.ts';
import { areaNumbers, excessNumbers } from './answer-numbers.ts';
import { elasticityRows, methods } from './elasticity/elasticity-rows.ts';
import { type ElasticityValues, elasticityValues } from './elasticity/elasticity-values.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import {
  comparedTasks,
  type GateSource,
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
  const rows = await Promise.all(sides.map((side) => elasticitiesOf(database, side)));
  return methods.flatMap((method) => {
    const values = rows.map((own) => elasticityValues(own.filter((row) => row['method'] === method)));
    const of = (
      metric: 'auc_e_normalized' | 'auc_e_excess',
      area: keyof ElasticityValues,
      [lo, hi]: [number, number],
    ) =>
      comparedTasks(
        plainSubject(metric, study.benchmark, method),
        sharedTasks(
          values.map((own) => own[area]),
          changed,
        ),
        { kind: 'bounded', lo, hi },
      );
    return [
      ...(haveSameSettings(sides, areaNumbers[method]) ? [of('auc_e_normalized', 'normalized', [0, 1])] : []),
      ...(haveSameSettings(sides, excessNumbers[method]) ? [of('auc_e_excess', 'excess', [-mostArea, mostArea])] : []),
    ];
  });
};

/** Computed from the prompts' scores, which exist while the run is active too. */
export const elasticitiesOf = async (database: RunDatabase, side: Side<PromptseStudy>): Promise<Row[]> =>
  elasticityRows(
    await records(database, `from ${sideRows(database, 'prompt_scores', side)}`),
    side.study.settings.variants,
  );
