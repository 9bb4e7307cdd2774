/**
 * A benchmark's test statements as a suite: asserts that are calls with an expected value become cases whose expected
 * value stays outside the sandbox; everything else stays test code. See docs/decisions/sandbox/0008-assert-suites.md.
 */
import type { AssertCheck, Oracle, Suite, Value } from '../../schemas/task.ts';
import { dedent, statementsOf } from '../extraction/statements.ts';
import { type AssertCase, assertCase } from './assert-case.ts';

export interface AssertTests {
  readonly name: string;
  /** Top-level statements, in order. */
  readonly statements: readonly string[];
  /** The name by which the statements call the entry point. */
  readonly alias: string;
  /** The tests' own imports and helpers. */
  readonly prelude: string;
}

export function assertSuite({ name, statements, alias, prelude }: AssertTests): Suite {
  const cases = casesOf(statements, alias);
  const codes = cases.map((one) => ('code' in one ? one.code : null));
  const suite = {
    name,
    inputs: cases.map((one): readonly Value[] => ('code' in one ? [] : one.args)),
    expected: cases.map((one) => ('code' in one ? true : one.expected)),
    oracle: oracleOf(cases.map((one) => ('code' in one ? 'equal' : one.check))),
  };
  return codes.every((code) => code === null) ? suite : { ...suite, script: { prelude, alias, cases: codes } };
}

type TestCase = AssertCase | { readonly code: string };

/** Statements that test nothing (imports, variables) are put before the next test code, which uses them. */
function casesOf(statements: readonly string[], alias: string): TestCase[] {
  const cases: TestCase[] = [];
  let pending: string[] = [];
  for (const statement of statements) {
    const read = assertCase(statement, alias);
    if (read === 'nothing') continue;
    if (read !== null) cases.push(read);
    else pending.push(statement.trimEnd());
    if (read !== null || !/\bassert\b/.test(statement)) continue;
    cases.push({ code: pending.join('\n') });
    pending = [];
  }
  return cases;
}

const oracleOf = (checks: readonly AssertCheck[]): Oracle =>
  checks.every((check) => check === 'equal') ? { rule: 'equal' } : { rule: 'asserts', checks };

/** Top-level statements of test code. */
export const testStatements = (source: string): string[] => statementsOf(source).map(({ text }) => text);

/** Statements in the body of the function `check`, and those outside it; null if there is no such function. */
export function checkFunction(
  test: string,
): { readonly body: readonly string[]; readonly beside: readonly string[] } | null {
  const statements = statementsOf(test);
  const check = statements.find(({ head }) => head.startsWith('def check('));
  if (check === undefined) return null;
  const lines = check.text.split('\n');
  const body = lines.slice(lines.findIndex((line) => line.startsWith('def check(')) + 1).join('\n');
  return {
    body: testStatements(dedent(body)),
    beside: statements.filter((one) => one !== check).map(({ text }) => text),
  };
}
