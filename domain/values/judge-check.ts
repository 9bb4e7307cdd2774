/**
 * What the judge lane is asked about one case: the check's name for sandbox/judge/compare.py, and what belongs to it.
 */
import type { Oracle, Value } from '../../schemas/task.ts';
import { floatTolerance, isFloats } from './oracle.ts';
import { floatText } from './value.ts';

/**
 * @param expectedSoFar the expected values of the suite's cases up to this one, since EvalPlus's tolerance carries over
 */
export function judgeCheck(oracle: Oracle, index: number, expectedSoFar: readonly (Value | null)[]): readonly Value[] {
  if (oracle.rule === 'equal') return ['equal'];
  if (oracle.rule === 'asserts') return assertCheck(oracle.checks[index] ?? 'equal');
  const atol = oracle.atol === 0 && expectedSoFar.some((value) => isFloats(value)) ? floatTolerance : oracle.atol;
  switch (oracle.special) {
    case 'polynomial_root':
      return ['root', oracle.coefficients?.[index] ?? [], float(oracle.atol)];
    case 'set_equal':
      return ['set'];
    case 'zero_accepted':
      return ['evalplus', float(atol), 0];
    case 'second_answer':
      return ['evalplus', float(atol), oracle.secondAnswers?.[index] ?? null];
    default:
      return ['evalplus', float(atol)];
  }
}

function assertCheck(check: Extract<Oracle, { rule: 'asserts' }>['checks'][number]): readonly Value[] {
  if (typeof check === 'string') return [check];
  return 'below' in check ? ['below', float(check.below)] : ['close', float(check.relTol), float(check.absTol)];
}

const float = (value: number): Value => ({ f: floatText(value) });

/** Checks that look at an output's items. */
export const looksAtItems = ([name]: readonly Value[]): boolean => name === 'set' || name === 'tuple';
