/** RobuNFR in a gate: each metric under each requirement and workflow. */
import type { GateConditions } from '../../../analysis/gate/conditions.ts';
import { solutionsSource, timeRatios } from '../../../analysis/gate/solutions.ts';
import { solutionMetricNames } from '../../../domain/metrics/solution-metrics.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import { conditionsOf, isRobunfr } from '../steps.ts';
import { nfrSolutions } from './solutions.ts';

export const requirementsSource = solutionsSource(nfrSolutions);

export const requirementConditions = (study: SpecStudy): GateConditions[] => [
  {
    metrics: [...solutionMetricNames, ...timeRatios],
    conditions: (isRobunfr(study) ? conditionsOf(study) : []).map(({ dimension, workflow }) => ({
      ...{ dimension: dimension ?? 'function-only', workflow },
    })),
  },
];
