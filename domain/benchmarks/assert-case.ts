/** Reads an assert statement as a call with an expected value, if it has that form. */
import type { AssertCheck, Value } from '../../schemas/task.ts';
import { constantOf, NotConstant } from '../python/constant.ts';
import { type Expression, parseAssert } from '../python/expression.ts';
import { PythonSyntaxError } from '../python/syntax-error.ts';
import { tagged } from '../values/value.ts';

export interface AssertCase {
  readonly args: readonly Value[];
  readonly expected: Value;
  readonly check: AssertCheck;
}

/** A case; `nothing` if the assert holds whatever the program does; null if only Python can evaluate it. */
export function assertCase(statement: string, entryPoint: string): AssertCase | 'nothing' | null {
  try {
    const test = parseAssert(statement);
    if (test === null) return null;
    return test.kind === 'name' && test.name === 'True' ? 'nothing' : caseOf(test, entryPoint);
  } catch (error) {
    if (error instanceof PythonSyntaxError || error instanceof NotConstant) return null;
    throw error;
  }
}

/** The forms of the benchmarks' asserts. The call comes first in all of them. */
function caseOf(test: Expression, entryPoint: string): AssertCase | null {
  const args = callOf(test, entryPoint);
  if (args !== null) return { args, expected: true, check: 'truth' };
  if (test.kind === 'unary' && test.operator === 'not') return truthCase(test.operand, entryPoint);
  if (test.kind === 'call') return closeCase(test, entryPoint);
  if (test.kind !== 'compare') return null;
  if (test.operator === '<') return belowCase(test.left, test.right, entryPoint);
  if (test.operator === '==') return equalCase(test.left, test.right, entryPoint);
  return test.operator === 'is' ? sameCase(test.left, test.right, entryPoint) : null;
}

/** Constant arguments of a call of the entry point; null for any other expression. Throws `NotConstant`. */
function callOf(expression: Expression, entryPoint: string): readonly Value[] | null {
  const args = argumentsOf(expression, entryPoint);
  return args === null ? null : args.map((arg) => constantOf(arg));
}

/** Arguments of a call of a plain name without keywords. */
function argumentsOf(expression: Expression, name: string): readonly Expression[] | null {
  if (expression.kind !== 'call' || expression.keywords.length > 0) return null;
  return expression.callee.kind === 'name' && expression.callee.name === name ? expression.args : null;
}

function truthCase(operand: Expression, entryPoint: string): AssertCase | null {
  const args = callOf(operand, entryPoint);
  return args && { args, expected: false, check: 'truth' };
}

/** `f(...) == x`, `set(f(...)) == set(x)`, `tuple(f(...)) == tuple(x)`. */
function equalCase(left: Expression, right: Expression, entryPoint: string): AssertCase | null {
  const args = callOf(left, entryPoint);
  if (args !== null) return { args, expected: constantOf(right), check: 'equal' };
  for (const check of ['set', 'tuple'] as const) {
    const [inner] = argumentsOf(left, check) ?? [];
    const wrapped = inner === undefined || check === entryPoint ? null : callOf(inner, entryPoint);
    const expected = wrapped && constantOf(right);
    if (wrapped && expected !== null && tagged(expected).kind === check) return { args: wrapped, expected, check };
  }
  return null;
}

function sameCase(left: Expression, right: Expression, entryPoint: string): AssertCase | null {
  const args = callOf(left, entryPoint);
  const expected = constantOf(right);
  return args !== null && (expected === null || typeof expected === 'boolean')
    ? { args, expected, check: 'same' }
    : null;
}

/** `abs(f(...) - x) < y`. */
function belowCase(left: Expression, right: Expression, entryPoint: string): AssertCase | null {
  const [difference] = argumentsOf(left, 'abs') ?? [];
  if (difference?.kind !== 'binary' || difference.operator !== '-') return null;
  const args = callOf(difference.left, entryPoint);
  return args && { args, expected: constantOf(difference.right), check: { below: floatOf(right) } };
}

/** `math.isclose(f(...), x, rel_tol=y)`. */
function closeCase(
  { callee, args, keywords }: Extract<Expression, { kind: 'call' }>,
  entryPoint: string,
): AssertCase | null {
  const isClose =
    callee.kind === 'attribute' && callee.name === 'isclose' && callee.of.kind === 'name' && callee.of.name === 'math';
  const [output, expected, ...more] = args;
  if (!isClose || output === undefined || expected === undefined || more.length > 0) return null;
  const given = Object.fromEntries(keywords.map(({ name, value }) => [name, floatOf(value)]));
  const { rel_tol: relTol = 1e-9, abs_tol: absTol = 0, ...unknown } = given;
  const called = callOf(output, entryPoint);
  return called && Object.keys(unknown).length === 0
    ? { args: called, expected: constantOf(expected), check: { relTol, absTol } }
    : null;
}

function floatOf(expression: Expression): number {
  const read = tagged(constantOf(expression));
  if (read.kind === 'int') return Number(read.digits);
  if (read.kind === 'float') return read.float;
  throw new NotConstant('a tolerance that is not a number');
}
