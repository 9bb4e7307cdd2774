import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import { mbppPlus } from '../../../domain/benchmarks/mbpp-plus.ts';
import { canonicalJson } from '../../../domain/ids.ts';
import { parsePythonLiteral } from '../../../domain/python/constant.ts';
import { parseExactJson } from '../../../domain/values/exact-json.ts';
import { parseFloatText, tagged } from '../../../domain/values/value.ts';
import type { Value } from '../../../schemas/task.ts';
import { benchmarkFile } from '../../support/benchmark-files.ts';

const at = { file: 'MbppPlus.jsonl', line: 7, index: null };
const record = (fields: Readonly<Record<string, unknown>>): unknown =>
  parseExactJson(
    JSON.stringify({
      ...{
        task_id: 'Mbpp/11',
        prompt: '"""\nText.\nassert f(1) == 1\n"""\n',
        entry_point: 'f',
        canonical_solution: 'def f(x):\n    return x\n',
      },
      ...{ base_input: [[1]], plus_input: [[2]], atol: 0, contract: '', assertion: '' },
      ...fields,
    }),
  );
const inputs = (taskId: string, base: unknown): unknown =>
  mbppPlus.parseRecord(record({ task_id: taskId, base_input: base, plus_input: [] }), at).suites[0]?.inputs;

describe('mbpp-plus', () => {
  it('gives a task with a canonical id, the unchanged prompt, and two suites without expected outputs', () => {
    const task = mbppPlus.parseRecord(record({}), at);
    expect(task).toMatchObject({
      taskId: 'MBPP/11',
      sourceTaskId: 'Mbpp/11',
      entryPoint: 'f',
      prompt: '"""\nText.\nassert f(1) == 1\n"""\n',
    });
    expect(task.suites.map(({ name, inputs, expected }) => ({ name, inputs, expected }))).toEqual([
      { name: 'base', inputs: [[1]], expected: null },
      { name: 'plus', inputs: [[2]], expected: null },
    ]);
  });

  it.each<readonly [string, unknown, unknown]>([
    ['Mbpp/2', [[[1], [2, [3]]]], [[{ t: [1] }, { t: [2, [3]] }]]],
    ['Mbpp/63', [[[[1, 2]]]], [[[{ t: [1, 2] }]]]],
    ['Mbpp/75', [[[[6, 24]], 6]], [[[{ t: [6, 24] }], 6]]],
    ['Mbpp/106', [[[5], [9]]], [[[5], { t: [9] }]]],
    ['Mbpp/250', [[[10, 8], 4]], [[{ t: [10, 8] }, 4]]],
    ['Mbpp/259', [[[[1, 3]], [[6, 7]]]], [[{ t: [{ t: [1, 3] }] }, { t: [{ t: [6, 7] }] }]]],
    ['Mbpp/278', [[[1, [2], 'a']]], [[{ t: [1, { t: [2] }, 'a'] }]]],
    ['Mbpp/580', [[[4, [7, [1]]]]], [[{ t: [4, { t: [7, { t: [1] }] }] }]]],
    ['Mbpp/115', [[[[1, 2, 1], [], 5]]], [[[{ s: [1, 2] }, { d: [] }, { d: [] }]]]],
    ['Mbpp/722', [[{ Ann: [6.2, 70] }, 6, 70]], [[{ d: [['Ann', { t: [{ f: '6.2' }, 70] }]] }, 6, 70]]],
    ['Mbpp/124', [['1e-100', '(-0-1j)']], [[{ f: '1e-100' }, { c: ['-0.0', '-1.0'] }]]],
    ['Mbpp/252', [['5j'], ['2.5'], [1]], [[{ c: ['0.0', '5.0'] }], [{ c: ['2.5', '0.0'] }], [{ c: ['1.0', '0.0'] }]]],
    ['Mbpp/793', {}, []],
  ])('restores the types of %s', (taskId, base, restored) => {
    expect(inputs(taskId, base)).toEqual(restored);
  });

  it('keeps floats, large ints and the order of dicts exactly, unlike JSON.parse', () => {
    const text = canonicalJson(record({})).replace(
      '"base_input":[[1]]',
      '"base_input":[[1.0,98765432109876543210,{"b":1,"2":2,"a":3}]]',
    );
    const task = mbppPlus.parseRecord(parseExactJson(text), at);
    expect(task.suites[0]?.inputs).toEqual([
      [
        { f: '1.0' },
        { i: '98765432109876543210' },
        {
          d: [
            ['b', 1],
            ['2', 2],
            ['a', 3],
          ],
        },
      ],
    ]);
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['task_id', { task_id: 'HumanEval/1' }],
    ['entry_point', { entry_point: 7 }],
    ['canonical_solution', { canonical_solution: undefined }],
    ['atol', { atol: -1 }],
    ['base_input', { base_input: 'x' }],
    ['plus_input[1]', { plus_input: [[1], 2] }],
    ['base_input[0]', { task_id: 'Mbpp/252', base_input: [['one']] }],
    ['base_input[0]', { task_id: 'Mbpp/2', base_input: [[1, 2]] }],
    ['base_input[0]', { task_id: 'Mbpp/581', base_input: [[3]] }],
    ['base_input[0]', { task_id: 'Mbpp/558', base_input: [[3, -1]] }],
  ])('names file, line and the field %s', (field, change) => {
    expect(() => mbppPlus.parseRecord(record(change), at)).toThrow(
      expect.objectContaining({ name: 'InputError', file: 'MbppPlus.jsonl', line: 7, field }),
    );
  });

  it('gives the second accepted answers of 558 and 581, counted by hand', () => {
    const digits = mbppPlus.parseRecord(
      record({
        task_id: 'Mbpp/558',
        base_input: [
          [123, 56],
          [5, 1000],
        ],
        plus_input: [],
      }),
      at,
    );
    // 123 against 056: 1 + 3 + 3; 0005 against 1000: 1 + 5.
    expect(digits.suites[0]?.oracle).toMatchObject({ special: 'second_answer', secondAnswers: [7, 6] });
    const pyramid = mbppPlus.parseRecord(record({ task_id: 'Mbpp/581', base_input: [[6, 4]], plus_input: [] }), at);
    // Slant height 5: 36 + 4 * (6 * 5) / 2.
    expect(pyramid.suites[0]?.oracle).toMatchObject({ special: 'second_answer', secondAnswers: [96] });
  });
});

/** Equal for values of equal types and content; ignores only the order of sets and the sign of a complex zero. */
function typedText(value: Value): string {
  const read = tagged(value);
  if (read.kind === 'float') return `float ${parseFloatText((value as { f: string }).f)}`;
  if (read.kind === 'complex') return `complex ${read.re + 0} ${read.im + 0}`;
  if (read.kind === 'dict')
    return `dict ${read.entries.map(([key, item]) => `${typedText(key)}: ${typedText(item)}`).join('; ')}`;
  if (read.kind === 'set') return `set ${read.items.map(typedText).sort().join('; ')}`;
  return 'items' in read ? `${read.kind} [${read.items.map(typedText).join('; ')}]` : JSON.stringify(read);
}

interface Original {
  readonly task_id: number;
  readonly prompt: string;
  readonly test: string;
}

const file = benchmarkFile('mbpp-plus', 'MbppPlus.jsonl.gz');
const originals = benchmarkFile('mbpp-plus', 'MbppPlus-OriginFmt.jsonl.gz');
const readOriginals = (): Original[] =>
  gunzipSync(readFileSync(originals.path))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Original);

describe.skipIf(!file.isThere || !originals.isThere)(`MBPP+ v0.2.0${file.note}`, () => {
  it("restores the inputs of all 378 tasks as the data set's self-contained form writes them", {
    timeout: 60_000,
  }, async () => {
    const { tasks, fileSha256 } = await loadBenchmark({ name: 'mbpp', format: 'mbpp-plus', path: file.path, seed: 1 });
    expect(fileSha256).toBe('af43697e8791c4c149bdfd6b489d8b5412507551ac20e28a439f650b8225db63');
    expect(tasks).toHaveLength(378);
    const byId = new Map(tasks.map((task) => [task.taskId, task]));
    const different = readOriginals().filter(({ task_id, test }) => {
      const literal = /^inputs = (.*)$/m.exec(test)?.[1] as string;
      const theirs = (parsePythonLiteral(literal, { inf: { f: 'inf' } }) as readonly Value[]).map((args) =>
        tagged(args),
      );
      const ours = byId.get(`MBPP/${task_id}`)?.suites.flatMap(({ inputs: cases }) => cases) ?? [];
      // That form omits repeated inputs.
      const ourTexts = new Set(ours.map((args) => args.map(typedText).join(', ')));
      const theirTexts = new Set(theirs.map((args) => ('items' in args ? args.items.map(typedText).join(', ') : '?')));
      return ourTexts.symmetricDifference(theirTexts).size > 0;
    });
    expect(different.map(({ task_id }) => task_id)).toEqual([]);
  });

  it('has an assert that calls the entry point in the second-to-last line of every prompt', async () => {
    const { tasks } = await loadBenchmark({ name: 'mbpp', format: 'mbpp-plus', path: file.path, seed: 1 });
    const without = tasks.filter(({ prompt, entryPoint }) => {
      const line = prompt.trimEnd().split('\n').at(-2) ?? '';
      return !line.startsWith('assert ') || !new RegExp(String.raw`\b${entryPoint}\s*\(`).test(line);
    });
    expect(without.map(({ taskId }) => taskId)).toEqual([]);
  });

  it('has 13 tasks with a tolerance and 12 with a special oracle (164, 249 and 295 left in v0.2.0)', async () => {
    const { tasks } = await loadBenchmark({ name: 'mbpp', format: 'mbpp-plus', path: file.path, seed: 1 });
    const oracles = tasks.map((task) => task.suites[0]?.oracle).filter((oracle) => oracle?.rule === 'evalplus');
    expect(oracles.filter(({ atol }) => atol === 1e-4)).toHaveLength(13);
    expect(oracles.filter(({ special }) => special !== null)).toHaveLength(12);
  });
});
