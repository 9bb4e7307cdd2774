import type { Outcome } from '../../schemas/states.ts';
import type { Suite } from '../../schemas/task.ts';

/**
 * If the benchmark counts a missing package as the program's failure, the outcome is the exception that Python raises.
 */
export const ruledOutcome = (outcome: Outcome, { judging }: Pick<Suite, 'judging'>): Outcome =>
  outcome === 'missing_dependency' && judging?.missingPackage === 'failed' ? 'exception' : outcome;
