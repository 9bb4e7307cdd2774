/** MBPP's formats, on handmade records. */
import { describe, expect, it } from 'vitest';
import type { BenchmarkFormat } from '../../../domain/benchmarks/format.ts';
import { mbppEt } from '../../../domain/benchmarks/mbpp-et.ts';
import { mbppPlus } from '../../../domain/benchmarks/mbpp-plus.ts';
import { mbppSanitized } from '../../../domain/benchmarks/mbpp-sanitized.ts';
import { parseExactJson } from '../../../domain/values/exact-json.ts';
import type { Task } from '../../../schemas/task.ts';

const at = { file: 'mbpp.json', line: null, index: 4 };
const parsed = (format: BenchmarkFormat, record: object): Task =>
  format.parseRecord(parseExactJson(JSON.stringify(record)), at);

const sanitized = {
  ...{ source_file: 'x.ipynb', task_id: 12, prompt: 'Write a "set" \\ function.' },
  code: 'import re\ndef helper(a):\n  return a\n\ndef shared(a,\n    b=2):   # two\n  return {a, b}\n',
  test_imports: ['import math'],
  test_list: ['assert set(shared(1)) == set([1, 2])', 'assert shared(math.pi)'],
};

describe('mbpp-sanitized', () => {
  it('takes the name that the first test calls, and makes the prompt from its signature and the text', () => {
    expect(parsed(mbppSanitized, sanitized)).toMatchObject({
      ...{ taskId: 'MBPP/12', sourceTaskId: '12', entryPoint: 'shared', reference: sanitized.code },
      prompt: 'def shared(a,\n    b=2):   # two\n    """Write a "set" \\\\ function."""\n',
      suites: [
        {
          ...{
            name: 'base',
            inputs: [[1], []],
            expected: [{ s: [1, 2] }, true],
            oracle: { rule: 'asserts', checks: ['set', 'equal'] },
          },
          script: { prelude: 'import math', alias: 'shared', cases: [null, 'assert shared(math.pi)'] },
        },
      ],
    });
  });

  it('reads the whole of MBPP, where two fields have other names', () => {
    const { source_file: _, prompt, test_imports: __, ...rest } = sanitized;
    const whole = { ...rest, text: prompt, test_setup_code: 'import math', challenge_test_list: [] };
    expect(parsed(mbppSanitized, whole)).toEqual(parsed(mbppSanitized, sanitized));
    expect(() => parsed(mbppSanitized, { ...rest, text: prompt })).toThrow(
      expect.objectContaining({ field: '[4].prompt' }),
    );
  });

  it.each<readonly [string, object]>([
    ['task_id', { task_id: 'Mbpp/2' }],
    ['test_list', { test_list: [] }],
    ['test_list[0]', { test_list: ['assert other(1)'] }],
    ['test_imports', { test_imports: undefined }],
    ['code', { code: 'shared = lambda a: {a}' }],
  ])('names file, record and the field %s', (field, change) => {
    expect(() => parsed(mbppSanitized, { ...sanitized, ...change })).toThrow(
      expect.objectContaining({ name: 'InputError', file: 'mbpp.json', field: `[4].${field}` }),
    );
  });
});

describe('mbpp-et', () => {
  const record = {
    task_id: '003',
    ori_task_id: 12,
    prompt: 'x',
    entry_point: 'common ',
    test: '\ndef check(candidate):\n    assert candidate(1) == 2\n    assert candidate(2) == candidates\n   ',
  };

  it('gives tests by MBPP number, with the name of the function that they call', () => {
    expect(mbppEt.parseSuite?.(record, at)).toMatchObject({
      taskId: 'MBPP/12',
      suite: {
        name: 'et',
        inputs: [[1], []],
        expected: [2, true],
        script: { alias: 'common', cases: [null, expect.stringMatching(/^assert common\(2\) == commons/)] },
      },
    });
  });

  it('takes the function that the tests call if the record names another', () => {
    const other = { ...record, entry_point: 'helper', test: 'def check(candidate):\n    assert (real(1)) == 2\n' };
    expect(mbppEt.parseSuite?.(other, at).suite).toMatchObject({ inputs: [[1]], expected: [2] });
  });

  it('has no tasks, and says how to use it', () => {
    expect(() => parsed(mbppEt, record)).toThrow(/contains only tests: join it to mbpp-sanitized/);
  });
});

describe('mbpp-plus as scripts', () => {
  const script = (tail: string, body = 'inputs = [[1, (2,)], [inf, {}]]\nresults = [3, None]\n'): string =>
    'import numpy as np\n\ndef assertion(out, exp, atol):\n    pass\n\n\n' +
    `${body}for i, (inp, exp) in enumerate(zip(inputs, results)):\n    ${tail}\n`;
  const record = {
    ...{
      task_id: 7,
      code: 'def f(a, b):\n    return 3\n',
      prompt: 'Text.',
      source_file: '',
      test_imports: [],
      test_list: ['assert f(1, 2) == 3'],
    },
    test: script('assertion(f(*inp), exp, 1e-4)'),
  };

  it('reads inputs, results and the tolerance as data', () => {
    expect(parsed(mbppPlus, record)).toMatchObject({
      ...{ taskId: 'MBPP/7', entryPoint: 'f', prompt: '"""\nText.\nassert f(1, 2) == 3\n"""\n' },
      suites: [
        { name: 'base', inputs: [[1, 2]], expected: [3] },
        {
          ...{
            name: 'plus',
            inputs: [
              [1, { t: [2] }],
              [{ f: 'inf' }, { d: [] }],
            ],
            expected: [3, null],
          },
          oracle: { rule: 'evalplus', atol: 1e-4, special: 'set_equal' },
        },
      ],
    });
  });

  it('runs the reference in a script that has no results', () => {
    const body = 'inputs = [[1]]\n';
    const test = script('assertion(f(*inp), ref_func(*inp), 0)', `import re\ndef ref_func(a):\n    return a\n${body}`);
    expect(parsed(mbppPlus, { ...record, test }).suites[1]).toMatchObject({
      ...{
        inputs: [[1]],
        expected: null,
        reference: { source: 'import re\ndef ref_func(a):\n    return a\n', entryPoint: 'ref_func' },
      },
    });
  });

  it.each<readonly [string, string]>([
    ['a script without the loop', 'inputs = []'],
    ['a script without inputs', script('assertion(f(*inp), exp, 0)', '')],
    [
      'results that are fewer than inputs',
      script('assertion(f(*inp), exp, 0)', 'inputs = [[1], [2]]\nresults = [1]\n'),
    ],
    ['inputs that no literal gives', script('assertion(f(*inp), exp, 0)', 'inputs = [[g(1)]]\nresults = [1]\n')],
  ])('refuses %s, naming the field', (_name, test) => {
    expect(() => parsed(mbppPlus, { ...record, test })).toThrow(
      expect.objectContaining({ name: 'InputError', field: '[4].test' }),
    );
  });
});
