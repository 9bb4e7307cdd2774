/** Whether a sample passed, over all suites of its task. */
import { excludedOutcomes } from '../schemas/states.ts';
import type { SuiteOutcome } from './cell-state.ts';

/**
 * Excluded only if all failures are excluded outcomes: a real failure on any suite counts.
 * @param outcomes undefined for a sample without code, which fails
 */
export function sampleVerdict(outcomes: readonly SuiteOutcome[] | undefined): 'passed' | 'failed' | 'excluded' {
  if (outcomes === undefined) return 'failed';
  const failures = outcomes.filter(({ outcome }) => outcome !== 'pass');
  if (failures.length === 0) return 'passed';
  return failures.every(({ outcome }) => excludedOutcomes.has(outcome)) ? 'excluded' : 'failed';
}
