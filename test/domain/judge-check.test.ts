import { expect, test } from 'vitest';
import { judgeCheck } from '../../domain/values/judge-check.ts';
import { verdictOf, verdictOrUnknown } from '../../domain/verdict.ts';
import type { ProgramRun } from '../../schemas/program.ts';
import type { Oracle } from '../../schemas/task.ts';

const evalplus = (special: string | null, more = {}): Oracle => ({ rule: 'evalplus', atol: 0, special, ...more });

test('the judge gets the tolerance set by earlier cases', () => {
  expect(judgeCheck(evalplus(null), 1, [1, 2])).toEqual(['evalplus', { f: '0.0' }]);
  expect(judgeCheck(evalplus(null), 1, [{ f: '1.5' }, 2])).toEqual(['evalplus', { f: '1e-06' }]);
  expect(judgeCheck(evalplus(null), 1, [[{ f: '1.5' }], 2])).toEqual(['evalplus', { f: '1e-06' }]);
});

test("a task's exception goes with its case's own data", () => {
  expect(judgeCheck(evalplus('set_equal'), 0, [1])).toEqual(['set']);
  expect(judgeCheck(evalplus('zero_accepted'), 0, [1])).toEqual(['evalplus', { f: '0.0' }, 0]);
  expect(judgeCheck(evalplus('second_answer', { secondAnswers: ['a', 'b'] }), 1, [1, 2])).toEqual([
    'evalplus',
    { f: '0.0' },
    'b',
  ]);
  const root: Oracle = { rule: 'evalplus', atol: 1e-4, special: 'polynomial_root', coefficients: [[1, 2]] };
  expect(judgeCheck(root, 0, [null])).toEqual(['root', [1, 2], { f: '0.0001' }]);
});

const run: ProgramRun = {
  ...{ end: 'completed', results: [{ value: '{"x":"Fraction"}' }, { value: '1' }, { value: '{"x":"Own"}' }] },
  ...{ failedAtLoad: false, caseMs: [], wallMs: 1, cpuMs: 1, memoryBytes: null, detail: null },
};
const equal: Oracle = { rule: 'equal' };

test('the answer of the judge decides a case; without an answer the program stays undecided', () => {
  const expected = ['2', '1', '3'];
  expect(verdictOrUnknown(run, expected, equal)).toEqual([0, 2]);
  const outcomeOf = (first: 'equal' | 'unequal' | 'unknown', third: 'equal' | 'unequal' | 'unknown') => {
    const { outcome, firstFailingCase } = verdictOf(
      run,
      expected,
      equal,
      new Map([
        [0, first],
        [2, third],
      ]),
    );
    return [outcome, firstFailingCase];
  };
  expect(outcomeOf('equal', 'equal')).toEqual(['pass', null]);
  expect(outcomeOf('unequal', 'equal')).toEqual(['wrong_output', 0]);
  expect(outcomeOf('equal', 'unequal')).toEqual(['wrong_output', 2]);
  expect(outcomeOf('unknown', 'unequal')).toEqual(['wrong_output', 2]);
  expect(outcomeOf('equal', 'unknown')).toEqual(['unencodable', 2]);
});

test('cases after a wrong output are not judged', () => {
  expect(verdictOrUnknown(run, ['2', '7', '3'], equal)).toEqual([0]);
});
