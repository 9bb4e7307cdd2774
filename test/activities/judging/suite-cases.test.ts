import { expect, test } from 'vitest';
import { expectedOutputs, judgedCases, laneOf, programFor } from '../../../activities/judging/suite-cases.ts';
import type { Suite } from '../../../schemas/task.ts';

const calls: Suite = { name: 'base', inputs: [[1, 'a'], []], expected: [2, null], oracle: { rule: 'equal' } };
const mixed: Suite = {
  ...calls,
  expected: [2, true],
  script: { prelude: 'import re', alias: 'candidate', cases: [null, 'assert x'] },
};
const record = { key: 'k', outcome: 'pass', firstFailingCase: null, outputs: ['7', null], caseMs: [] } as const;

test('a suite of calls goes into the sandbox as argument lists, and its verdicts are isolated', () => {
  expect(programFor({ entryPoint: 'f' }, calls, 'code')).toEqual({
    source: 'code',
    entryPoint: 'f',
    inputs: ['[1,"a"]', '[]'],
  });
  expect(laneOf(calls)).toBe('isolated');
});

test('test code replaces its call, with what it needs; the lane says that the verdict can be forged', () => {
  expect(programFor({ entryPoint: 'f' }, mixed, 'code')).toEqual({
    ...{ source: 'code', entryPoint: 'f', inputs: ['[1,"a"]', '"assert x"'] },
    tests: { prelude: 'import re', alias: 'candidate' },
  });
  expect(laneOf(mixed)).toBe('assert');
});

test("what a suite does not expect itself is what the reference's outputs say", () => {
  expect(expectedOutputs(calls, record)).toEqual(['2', 'null']);
  expect(expectedOutputs({ ...calls, expected: null }, record)).toEqual(['7', null]);
});

test('a case counts with an expected value, be it None, or with an output of the reference', () => {
  expect(judgedCases(calls, record)).toBe(2);
  expect(judgedCases(mixed, { ...record, outputs: [] })).toBe(2);
  expect(judgedCases({ ...calls, expected: null }, record)).toBe(1);
  expect(judgedCases({ ...calls, expected: null }, { ...record, outputs: [null, null] })).toBe(0);
  expect(judgedCases({ ...calls, inputs: [], expected: null }, { ...record, outputs: [] })).toBe(0);
});
