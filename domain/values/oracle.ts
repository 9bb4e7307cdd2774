/** How one output is judged against one expected value, by the suite's oracle. */
import type { Oracle, Value } from '../../schemas/task.ts';
import { allClose } from './closeness.ts';
import { assertAgreement } from './assert-check.ts';
import { type Agreement, agreement } from './equality.ts';
import { setAgreement } from './members.ts';
import { rootAgreement } from './polynomial.ts';
import { tagged } from './value.ts';

/** Judges the cases of one program in order (EvalPlus's tolerance carries over from case to case). */
export type CaseJudge = (output: Value, expected: Value, index: number) => Agreement;

/** EvalPlus's absolute tolerance once a float is expected. */
export const floatTolerance = 1e-6;

type EvalPlusOracle = Extract<Oracle, { rule: 'evalplus' }>;

/** A judge for one program's run over one suite. */
export function createJudge(oracle: Oracle): CaseJudge {
  if (oracle.rule === 'equal') return agreement;
  if (oracle.rule === 'asserts')
    return (output, expected, index) => assertAgreement(oracle.checks[index] ?? 'equal', output, expected);
  if (oracle.special === 'polynomial_root')
    return (output, _expected, index) => rootAgreement(perCase(oracle, 'coefficients', index), output, oracle.atol);
  return createEvalPlusJudge(oracle);
}

/**
 * EvalPlus 0.3.1: exact (or special) agreement first, else closeness of values of one type. Once a float is expected
 * the absolute tolerance is 1e-6, from that case to the suite's end.
 */
function createEvalPlusJudge(oracle: EvalPlusOracle): CaseJudge {
  let atol = oracle.atol;
  return (output, expected, index) => {
    const exact = specialAgreement(oracle, output, expected, index);
    if (atol === 0 && isFloats(expected)) atol = floatTolerance;
    if (exact !== 'unequal' || atol === 0) return exact;
    const close = tagged(output).kind === tagged(expected).kind && allClose(output, expected, atol);
    return close ? 'equal' : 'unequal';
  };
}

/** A float, or a sequence of nothing but floats. */
export function isFloats(value: Value): boolean {
  const read = tagged(value);
  if (read.kind === 'list' || read.kind === 'tuple')
    return read.items.length > 0 && read.items.every((item) => tagged(item).kind === 'float');
  return read.kind === 'float';
}

function specialAgreement(oracle: EvalPlusOracle, output: Value, expected: Value, index: number): Agreement {
  switch (oracle.special) {
    case 'any':
      return 'equal';
    case 'set_equal':
      return setAgreement(output, expected);
    case 'not_none':
      return notNoneAgreement(output, expected);
    case 'zero_accepted':
      return either(agreement(output, expected), () => agreement(output, 0));
    case 'second_answer':
      return either(agreement(output, expected), () => agreement(output, perCase(oracle, 'secondAnswers', index)));
    case null:
      return agreement(output, expected);
    default:
      throw new Error(`an oracle's special is one of docs/benchmarks.md, got ${oracle.special}`);
  }
}

const either = (first: Agreement, second: () => Agreement): Agreement => (first === 'equal' ? first : second());

function perCase(oracle: EvalPlusOracle, what: 'secondAnswers' | 'coefficients', index: number): Value {
  const value = oracle[what]?.[index];
  if (value === undefined)
    throw new Error(`the oracle ${oracle.special} needs one of ${what} per case, none for case ${index}`);
  return value;
}

/**
 * The reference's output says only whether there is one; a bool output has to say the same,
 * any other has to be there or not.
 */
function notNoneAgreement(output: Value, expected: Value): Agreement {
  const present = expected !== null;
  return (typeof output === 'boolean' ? output : output !== null) === present ? 'equal' : 'unequal';
}
