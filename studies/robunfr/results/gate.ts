/** RobuNFR in a gate: each metric under each requirement and workflow. */
import { type GateSource, isSame } from '../../../analysis/gate/compared.ts';
import type { GateConditions } from '../../../analysis/gate/conditions.ts';
import { type NeededSettings, settingTexts } from '../../../analysis/gate/needed-settings.ts';
import { solutionsSource, timeRatios } from '../../../analysis/gate/solutions.ts';
import { solutionMetricNames } from '../../../domain/metrics/solution-metrics.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import { conditionsOf, isRobunfr, type RobunfrStudy } from '../steps.ts';
import { nfrSolutions } from './solutions.ts';

/** Other templates make other prompts of every task. */
export const promptsNeed: NeededSettings<RobunfrStudy> = {
  metrics: [...solutionMetricNames, ...timeRatios],
  settingsOf: ({ settings: { prompts } }) => settingTexts({ prompts }),
};

const solutions: GateSource<RobunfrStudy> = solutionsSource(nfrSolutions);

/** Compares only runs with the same templates. */
export const requirementsSource: GateSource<RobunfrStudy> = async (database, of) =>
  isSame(of.sides, ({ settings }) => settings.prompts) ? solutions(database, of) : [];

export const requirementConditions = (study: SpecStudy): GateConditions[] => [
  {
    metrics: [...solutionMetricNames, ...timeRatios],
    conditions: (isRobunfr(study) ? conditionsOf(study) : []).map(({ dimension, workflow }) => ({
      ...{ dimension: dimension ?? 'function-only', workflow },
    })),
  },
];
