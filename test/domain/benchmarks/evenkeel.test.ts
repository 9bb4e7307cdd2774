import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { evenkeel } from '../../../domain/benchmarks/evenkeel.ts';
import { parseExactJson } from '../../../domain/values/exact-json.ts';

const at = { file: 'tasks.jsonl', line: 3, index: null };
const suite = { inputs: [[1, { t: [2] }]], expected: [{ f: '1.5' }] };
const whole = {
  task_id: 'mine/1',
  prompt: 'Text.',
  entry_point: 'f',
  reference: 'def f(a, b): ...',
  suites: { base: suite },
};
const parse = (json: unknown): ReturnType<typeof evenkeel.parseRecord> =>
  evenkeel.parseRecord(parseExactJson(JSON.stringify(json)), at);

describe("evenkeel's own format", () => {
  it('takes a task as it is written', () => {
    expect(parse(whole)).toMatchObject({
      taskId: 'mine/1',
      sourceTaskId: 'mine/1',
      suites: [{ name: 'base', ...suite, oracle: { rule: 'equal' } }],
    });
  });

  it('judges a suite with atol by closeness', () => {
    expect(parse({ ...whole, suites: { base: { ...suite, atol: 0.01 } } }).suites[0]?.oracle).toEqual({
      rule: 'evalplus',
      atol: 0.01,
      special: null,
    });
  });

  // Red before: 2^53 itself was refused as one that is not "up to 2^53".
  it('takes plain ints below 2^53', () => {
    const given = (n: string) => JSON.stringify(whole).replace('[[1,', `[[${n},`);
    const parsed = (n: string) => () => evenkeel.parseRecord(parseExactJson(given(n)), at);
    expect(parsed('9007199254740991')).not.toThrow();
    expect(parsed('9007199254740992')).toThrow(
      'plain numbers are ints below 2^53, write {"i":"9007199254740992"} for 9007199254740992',
    );
  });

  // Red before: the run lost a slot to each program that was given one, and the program had failed.
  it.each<readonly [string, unknown, string]>([
    ['a list in a set', { s: [[1]] }, 'an item of a set needs a hash, which lists, sets and dicts lack in Python'],
    ['a set in a frozenset', { fs: [{ s: [1] }] }, 'an item of a set needs a hash'],
    ['a list as a key', { d: [[[1], 2]] }, 'a key of a dict needs a hash'],
    ['a list in a tuple as a key', [{ d: [[{ t: [1, [2]] }, 2]] }], 'got {"t":[1,[2]]}'],
    ['a dict in a set', { t: [{ s: [{ d: [] }] }] }, 'an item of a set needs a hash'],
    [
      'a key twice',
      {
        d: [
          [1, 2],
          [true, 3],
        ],
      },
      'a dict has the key true twice, or one that is equal in Python',
    ],
  ])('refuses %s, which Python cannot make', (_what, value, message) => {
    const suites = { base: { ...suite, inputs: [[value, 2]], expected: [3] } };
    expect(() => parse({ ...whole, suites })).toThrow(message);
  });

  it('takes tuples and frozensets as items and keys', () => {
    const value = { d: [[{ t: [1, { fs: [2] }] }, { s: [{ t: [] }, 'a', null] }]] };
    expect(() =>
      parse({ ...whole, suites: { base: { ...suite, inputs: [[value, 2]], expected: [3] } } }),
    ).not.toThrow();
  });

  // Red before: a run was asked and paid to its end. Then it failed with an error of the SQL parser, or several tasks
  // were one in its tables.
  it.each(['N/\0a', 'N/\nb', '\u001b[31mred', 'N/\ud800', 'N/\udfff1'])(
    'refuses a task id that tables cannot keep: %j',
    (task_id) => {
      expect(() => parse({ ...whole, task_id })).toThrow(
        'tasks.jsonl:3  task_id  expected text without control characters and halves of surrogate pairs, got ' +
          JSON.stringify(task_id),
      );
    },
  );

  it('takes a task id in any writing', () => {
    expect(parse({ ...whole, task_id: 'N/é🎈名' }).taskId).toBe('N/é🎈名');
  });

  it('says where a key of a suite belongs', () => {
    expect(() => parse({ ...whole, atol: 0.01 })).toThrow(
      'tasks.jsonl:3  atol  is a key of a suite: write it as suites.NAME.atol',
    );
  });

  it('takes missing expected outputs from the reference', () => {
    expect(parse({ ...whole, suites: { base: { inputs: [[1]] } } }).suites[0]?.expected).toBeNull();
  });

  it('takes the example of the documentation', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'benchmarks.md'), 'utf8');
    const example = /```json\n([^`]*)```/.exec(page)?.[1] ?? '';
    expect(
      evenkeel.parseRecord(parseExactJson(example), at).suites.map(({ name, inputs }) => [name, inputs.length]),
    ).toEqual([
      ['base', 2],
      ['plus', 1],
    ]);
  });

  it('takes a soft keyword as a name, as Python does', () => {
    for (const name of ['match', 'case', 'type', '_'])
      expect(parse({ ...whole, entry_point: name }).entryPoint).toBe(name);
  });

  it('gives different records different hashes', () => {
    const hashes = [whole, { ...whole, prompt: 'Text' }, { ...whole, suites: { base: { ...suite, atol: 0 } } }].map(
      (task) => parse(task).recordSha256,
    );
    expect(new Set(hashes).size).toBe(3);
    expect(parse(whole).recordSha256).toBe(hashes[0]);
  });

  it.each<readonly [field: string, message: RegExp, record: unknown]>([
    ['', /object/, [1]],
    ['task_id', /./, { ...whole, task_id: 1 }],
    ['', /unknown key "extra"/, { ...whole, extra: 1 }],
    ['task_id', /must have at most 200 characters, got 201$/, { ...whole, task_id: 'x'.repeat(201) }],
    ['suites.Base', /expected a suite name: a lower-case letter/, { ...whole, suites: { Base: suite } }],
    ['entry_point', /function name/, { ...whole, entry_point: 'a b' }],
    ['entry_point', /"class" is a Python keyword, .*: write the name of/, { ...whole, entry_point: 'class' }],
    ['entry_point', /"lambda" is a Python keyword/, { ...whole, entry_point: 'lambda' }],
    ['entry_point', /"None" is a Python keyword/, { ...whole, entry_point: 'None' }],
    ['suites', /at least one suite/, { ...whole, suites: {} }],
    ['suites.base.inputs', /at least one case/, { ...whole, suites: { base: { inputs: [] } } }],
    ['suites.base.inputs[0]', /argument list/, { ...whole, suites: { base: { inputs: [1] } } }],
    [
      'suites.base.expected',
      /got 2 values for 1 case$/,
      { ...whole, suites: { base: { inputs: [[1]], expected: [1, 2] } } },
    ],
    ['suites.base.inputs[0][1]', /write \{"f":"1.5"\}/, { ...whole, suites: { base: { inputs: [[1, [1.5]]] } } }],
    // Those of the table in docs/benchmarks.md.
    [
      'suites.base.inputs[0][0]',
      /key is one of i, f, t, s, fs, d, b, c, got q$/,
      { ...whole, suites: { base: { inputs: [[{ q: 1 }]] } } },
    ],
    [
      'suites.base.expected[0]',
      /Counter/,
      { ...whole, suites: { base: { inputs: [[1]], expected: [{ x: 'Counter' }] } } },
    ],
  ])('refuses a wrong %s', (field, message, json) => {
    expect(() => parse(json)).toThrow(
      expect.objectContaining({ name: 'InputError', file: 'tasks.jsonl', line: 3, field }),
    );
    expect(() => parse(json)).toThrow(message);
  });
});
