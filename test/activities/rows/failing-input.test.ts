import { expect, test } from 'vitest';
import { failingInput } from '../../../activities/rows/failing-input.ts';
import type { Suite } from '../../../schemas/task.ts';

const suite = (name: string, inputs: Suite['inputs'], more: Partial<Suite> = {}): Suite => ({
  ...{ name, inputs, expected: null, oracle: { rule: 'equal' } },
  ...more,
});
const scripted = { prelude: '', alias: 'candidate', cases: [null, 'assert candidate(2) == 3'] };
const task = {
  suites: [
    suite('base', [[1], [[3, { f: '0.5' }], 'a']]),
    suite('plus', [['x'.repeat(3000)]]),
    suite('script', [[7], []], { script: scripted }),
  ],
};
const of = (name: string, firstFailingCase: number | null) => failingInput(task, { suite: name, firstFailingCase });

test('arguments are JSON, test code is itself, and long texts are cut', () => {
  expect(of('base', 1)).toBe('[[3,{"f":"0.5"}],"a"]');
  expect(of('script', 0)).toBe('[7]');
  expect(of('script', 1)).toBe('assert candidate(2) == 3');
  expect(of('plus', 0)).toBe(`["${'x'.repeat(1998)}...`);
});

test('there is none if no case failed, or the suite has no such case', () => {
  expect(of('base', null)).toBeNull();
  expect(of('base', 2)).toBeNull();
  expect(of('other', 0)).toBeNull();
});
