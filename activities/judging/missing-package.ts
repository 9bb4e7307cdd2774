import type { ProgramEnd } from '../../schemas/program.ts';
import type { Outcome } from '../../schemas/states.ts';
import type { Suite } from '../../schemas/task.ts';

/**
 * If the benchmark counts a missing package as the program's failure, the outcome is the exception that Python raises.
 * What the sandbox cannot do at all, such as threads, is no package: it stays excluded.
 */
export const ruledOutcome = (
  outcome: Outcome,
  { judging }: Pick<Suite, 'judging'>,
  end: ProgramEnd = 'missing_dependency',
): Outcome =>
  outcome === 'missing_dependency' && end === 'missing_dependency' && judging?.missingPackage === 'failed'
    ? 'exception'
    : outcome;
