/** Which cells flip, and in which order a report draws its examples: counted by hand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../domain/ids.ts';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { collectExamples, exampleDocument } from '../../../analysis/report/examples.ts';
import type { Example } from '../../../analysis/report/examples/example.ts';
import { exampleLink } from '../../../analysis/report/examples/link.ts';
import type { Row } from '../../../schemas/tables.ts';
import { writeRun } from '../run-fixture.ts';

interface Answered {
  readonly task: string;
  readonly model: string;
  readonly variant?: string;
  readonly setting?: string;
  /** One outcome per answer of each loop, as in `pass exception`. */
  readonly loops: readonly string[];
}

const answered: readonly Answered[] = [
  // Between models.
  { task: 'T/1', model: 'a', loops: ['pass'] },
  { task: 'T/1', model: 'b', loops: ['exception'] },
  // Between variants of one model; the variant has a setting of its own.
  { task: 'T/2', model: 'a', loops: ['pass'] },
  { task: 'T/2', model: 'a', variant: 'calm', setting: 'calm', loops: ['wrong_output'] },
  // In a later loop; and two of four answers pass, which is half.
  { task: 'T/3', model: 'a', loops: ['pass', 'exception'] },
  { task: 'T/3', model: 'b', loops: ['pass pass exception wrong_output'] },
  // No flip: all pass; all fail; one was not judged.
  { task: 'T/4 "é"', model: 'a', loops: ['pass'] },
  { task: 'T/4 "é"', model: 'b', loops: ['pass'] },
  { task: 'T/5', model: 'a', loops: ['no_code'] },
  { task: 'T/5', model: 'b', loops: ['missing_dependency'] },
];

const keyOf = ({ task, model, variant = 'original', setting = 'default' }: Answered): Row => ({
  run: 'r',
  study: 's',
  model,
  benchmark: 'tiny',
  task_id: task,
  language: 'python',
  variant,
  setting,
  repetition: 0,
});

const rowsOf = (one: Answered): Row[] =>
  one.loops.flatMap((outcomes, loop) =>
    outcomes.split(' ').map((outcome, sample) => ({
      ...{ ...keyOf(one), loop: loop + 1, step: 'generate', sample, ask: 0 },
      ...{ answering_model: one.model, prompt_sha256: 'p', suite: 'base', outcome },
      ...{ reply: `${one.model} ${sample}`, reply_status: 'ok' },
    })),
  );

let folder = '';
let database: RunDatabase;
let examples: readonly Example[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-flips-'));
  const rows = answered.flatMap(rowsOf);
  const of = (columns: readonly string[]): Row[] =>
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name))));
  await writeRun(folder, [
    { table: 'samples', page: 's/m/p', rows: of(['suite', 'outcome']) },
    {
      table: 'verdicts',
      page: 's/m/p',
      rows: of(['ask', 'answering_model', 'prompt_sha256', 'reply', 'reply_status']),
    },
    { table: 'prompts', page: 's/m/p', rows: [{ prompt_sha256: 'p', page: 's/m/p', messages: '[]' }] },
  ]);
  database = await openRun(folder);
  ({ examples } = await collectExamples(database));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const nameOf = ({ taskId, model, variant }: Example): string =>
  [taskId, model, ...(variant === 'original' ? [] : [variant])].join(' ');

test('flips are between models, between variants, in a later loop, and between answers', async () => {
  expect(new Map(examples.map((one) => [nameOf(one), one.flips.join(' ')]))).toEqual(
    new Map([
      ['T/1 a', 'model'],
      ['T/1 b', 'model'],
      ['T/2 a', 'variant'],
      ['T/2 a calm', 'variant'],
      ['T/3 a', 'loop'],
      ['T/3 b', 'answer'],
      ['T/4 "é" a', ''],
      ['T/4 "é" b', ''],
      ['T/5 a', ''],
      ['T/5 b', ''],
    ]),
  );
  const { of, flips } = await collectExamples(database, 1);
  expect([of, flips]).toEqual([10, 6]);
});

test('a cell knows how many answers of its first loop passed', () => {
  const counts = new Map(examples.map((one) => [nameOf(one), [one.passed, one.judged, one.result]]));
  expect(counts.get('T/3 a')).toEqual([1, 1, 'exception']);
  expect(counts.get('T/3 b')).toEqual([2, 4, 'exception']);
  expect(counts.get('T/5 b')).toEqual([0, 0, 'missing_dependency']);
});

describe('the order drawn', () => {
  test('has all flips first, and after one that fails the one that passes', () => {
    const names = examples.map(nameOf);
    expect(new Set(names.slice(0, 6))).toEqual(new Set(['T/1 a', 'T/1 b', 'T/2 a', 'T/2 a calm', 'T/3 a', 'T/3 b']));
    expect(names[names.indexOf('T/1 b') + 1]).toBe('T/1 a');
    expect(names[names.indexOf('T/2 a calm') + 1]).toBe('T/2 a');
  });

  test('has an id of each key that is the hash of its JSON', () => {
    const ids = new Map(examples.map((one) => [nameOf(one), one.id]));
    for (const one of answered) {
      const variant = one.variant === undefined ? '' : ` ${one.variant}`;
      expect(ids.get(`${one.task} ${one.model}${variant}`)).toBe(
        sha256(JSON.stringify(Object.values(keyOf(one)))).slice(0, 12),
      );
    }
  });
});

test('any cell is found by its id, with the others of its task', async () => {
  for (const example of examples) {
    const found = JSON.parse((await exampleDocument(database, example.id)) ?? '{}') as Example & { others: Example[] };
    const { others, ...same } = found;
    expect(same).toEqual(example);
    expect(others.map(nameOf)).toEqual(
      expect.arrayContaining(examples.filter((one) => one.taskId === example.taskId && one !== example).map(nameOf)),
    );
  }
  expect(await exampleDocument(database, "0' OR true --")).toBeNull();
});

test('a filter is an address', () => {
  expect(exampleLink({})).toBe('#examples');
  expect(exampleLink({ study: 'loops', outcome: 'excluded: not_run', loops: 0, words: 'a&b' })).toBe(
    '#examples?study=loops&outcome=excluded%3A+not_run&loops=0&words=a%26b',
  );
});
