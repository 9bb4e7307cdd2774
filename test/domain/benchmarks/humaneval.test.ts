/** HumanEval's three formats, on handmade records. */
import { describe, expect, it } from 'vitest';
import { humanevalEt } from '../../../domain/benchmarks/humaneval-et.ts';
import { humanevalPlus } from '../../../domain/benchmarks/humaneval-plus.ts';
import { humaneval } from '../../../domain/benchmarks/humaneval.ts';
import { parseExactJson } from '../../../domain/values/exact-json.ts';
import type { Task } from '../../../schemas/task.ts';

const at = { file: 'HumanEval.jsonl', line: 3, index: null };
const prompt = 'import math\n\ndef helper(x):\n    return x\n\n\ndef inc(x: int):\n    """ One more.\n    """\n';
const fields = {
  task_id: 'HumanEval/7',
  prompt,
  entry_point: 'inc',
  canonical_solution: '    return x + 1\n',
  test:
    "\n\nMETADATA = {\n    'author': 'jt'\n}\n\n\ndef check(candidate):\n    assert candidate(1) == 2\n" +
    "    assert candidate(helper(4)) == 5, 'no'\n\n",
};
const parsed = (format: typeof humaneval, more: object): Task =>
  format.parseRecord(parseExactJson(JSON.stringify({ ...fields, ...more })), at);

describe('humaneval', () => {
  it('gives a task whose reference is prompt and solution, and whose test code sees the helpers of the prompt', () => {
    expect(parsed(humaneval, {})).toMatchObject({
      ...{
        taskId: 'HumanEval/7',
        sourceTaskId: 'HumanEval/7',
        entryPoint: 'inc',
        prompt,
        reference: `${prompt}    return x + 1\n`,
      },
      suites: [
        {
          ...{ name: 'base', inputs: [[1], []], expected: [2, true], oracle: { rule: 'equal' } },
          script: {
            prelude: 'import math\n\ndef helper(x):\n    return x',
            alias: 'candidate',
            cases: [null, "assert candidate(helper(4)) == 5, 'no'"],
          },
        },
      ],
    });
  });

  it.each<readonly [string, object]>([
    ['task_id', { task_id: 'HumanEval-7' }],
    ['entry_point', { entry_point: 'in c' }],
    ['canonical_solution', { canonical_solution: 7 }],
    ['test', { test: 'assert inc(1) == 2' }],
  ])('names file, line and the field %s', (field, change) => {
    expect(() => parsed(humaneval, change)).toThrow(
      expect.objectContaining({ name: 'InputError', file: 'HumanEval.jsonl', line: 3, field }),
    );
  });
});

describe('humaneval-et', () => {
  it('takes only its asserts, which call the entry point by name', () => {
    const { suites } = parsed(humanevalEt, {
      test_case_list: ['assert inc(1) == 2', 'assert abs(inc(0.5) - 1.5) < 1e-6', 'assert inc(x) == str '],
    });
    expect(suites).toMatchObject([
      {
        name: 'et',
        inputs: [[1], [{ f: '0.5' }], []],
        expected: [2, { f: '1.5' }, true],
        script: { alias: 'inc', cases: [null, null, 'assert inc(x) == str'] },
      },
    ]);
  });

  it('names the field of a missing list', () => {
    expect(() => parsed(humanevalEt, {})).toThrow(expect.objectContaining({ field: 'test_case_list' }));
  });
});

describe('humaneval-plus', () => {
  const plus = { contract: '', atol: 0, base_input: [[1]], plus_input: [[2.5], ['a']] };

  it('takes inputs without expected outputs, with the tolerance of the record', () => {
    expect(parsed(humanevalPlus, { ...plus, atol: 1e-6 }).suites).toEqual([
      { name: 'base', inputs: [[1]], expected: null, oracle: { rule: 'evalplus', atol: 1e-6, special: null } },
      {
        name: 'plus',
        inputs: [[{ f: '2.5' }], ['a']],
        expected: null,
        oracle: { rule: 'evalplus', atol: 1e-6, special: null },
      },
    ]);
  });

  it('gives find_zero the polynomials whose roots are correct', () => {
    const change = { entry_point: 'find_zero', prompt: 'def find_zero(xs):\n', base_input: [[[1, 2]]], plus_input: [] };
    expect(parsed(humanevalPlus, { ...plus, ...change }).suites[0]?.oracle).toMatchObject({
      special: 'polynomial_root',
      coefficients: [[1, 2]],
    });
  });

  it('names the field of an input that is not an argument list', () => {
    expect(() => parsed(humanevalPlus, { ...plus, plus_input: [[1], 2] })).toThrow(
      expect.objectContaining({ line: 3, field: 'plus_input[1]' }),
    );
  });
});
