/** RobuNFR in a gate: each metric under each requirement and workflow. */
import type { GateSource } from '../../../analysis/gate/compared.ts';
import type { GateConditions } from '../../../analysis/gate/conditions.ts';
import { haveSameSettings, type NeededSettings, settingTexts } from '../../../analysis/gate/needed-settings.ts';
import { solutionsSource, timeRatios } from '../../../analysis/gate/solutions.ts';
import { solutionMetricNames } from '../../../domain/metrics/solution-metrics.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import { conditionsOf, isRobunfr, type RobunfrStudy } from '../steps.ts';
import { nfrSolutions } from './solutions.ts';

/** Other templates make other prompts of every task. */
const promptsNeed: NeededSettings<RobunfrStudy> = {
  metrics: [...solutionMetricNames, ...timeRatios],
  settingsOf: ({ settings: { prompts } }) => settingTexts({ prompts }),
};

/** Other patterns count other statements. */
const statementsNeed: NeededSettings<RobunfrStudy> = {
  metrics: ['exception_handling'],
  settingsOf: ({ settings: { exceptionStatements } }) => settingTexts({ exceptionStatements }),
};

export const requirementNeeds = [promptsNeed, statementsNeed];

const solutions: GateSource<RobunfrStudy> = solutionsSource(nfrSolutions);

/** Compares only runs with the same templates, and exception handling only as counted by the same rule. */
export const requirementsSource: GateSource<RobunfrStudy> = async (database, of) => {
  if (!haveSameSettings(of.sides, promptsNeed)) return [];
  const found = await solutions(database, of);
  return haveSameSettings(of.sides, statementsNeed)
    ? found
    : found.filter(({ subject: { metric } }) => metric !== 'exception_handling');
};

export const requirementConditions = (study: SpecStudy): GateConditions[] => [
  {
    metrics: [...solutionMetricNames, ...timeRatios],
    conditions: (isRobunfr(study) ? conditionsOf(study) : []).map(({ dimension, workflow }) => ({
      ...{ dimension: dimension ?? 'function-only', workflow },
    })),
  },
];
