/** How the verdicts of stored answers are read: which suites count, and what happens to programs without a verdict. */
import { excludedOutcomes, type Outcome, stoppedOutcomes } from '../../schemas/states.ts';
import type { SuiteOutcome } from '../cell-state.ts';

export const limitOptions = ['failed', 'passed'] as const;
export const excludedOptions = ['excluded', 'failed'] as const;
/** Option of the choice of suites: a program must pass all of its task. */
export const allSuites = 'all';

export interface Review {
  /** `all`, or a suite's name. A task without that suite is judged by all of its own. */
  readonly suites: string;
  /**
   * What a program counts as that a limit of time, memory or output stopped. Under any longer limit it would pass or
   * fail, so the two options are the ends of what longer limits can give.
   */
  readonly limits: (typeof limitOptions)[number];
  /** What counts that evenkeel's limits prevented from being judged. */
  readonly excluded: (typeof excludedOptions)[number];
}

/** The failures that excluded outcomes become. */
const failures: Partial<Record<Outcome, Outcome>> = {
  unencodable: 'wrong_output',
  missing_dependency: 'exception',
  not_run: 'no_code',
};

/** One outcome for all suites that count: a real failure takes precedence over an excluded one. */
export function reviewedOutcome(outcomes: readonly SuiteOutcome[], review: Review): Outcome {
  const named = outcomes.filter(({ suite }) => suite === review.suites);
  const counted = (named.length > 0 ? named : outcomes).map(({ outcome }) => countedAs(outcome, review));
  const failed = counted.filter((outcome) => outcome !== 'pass');
  return failed.find((outcome) => !excludedOutcomes.has(outcome)) ?? failed[0] ?? 'pass';
}

export function countedAs(outcome: Outcome, { limits, excluded }: Review): Outcome {
  if (limits === 'passed' && stoppedOutcomes.has(outcome)) return 'pass';
  return excluded === 'failed' ? (failures[outcome] ?? outcome) : outcome;
}
