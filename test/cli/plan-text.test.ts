import { describe, expect, test } from 'vitest';
import type { EstimatedLane, PlanEstimate } from '../../activities/estimate/estimate-plan.ts';
import { extentOf } from '../../cli/follow/extent.ts';
import { planText } from '../../cli/output/plan-text.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { specSchema } from '../../schemas/spec.ts';

const range = (minimum: number, expected: number, maximum: number) => ({ minimum, expected, maximum });
const lane: EstimatedLane = {
  study: 'loops',
  model: 'gpt-4o',
  role: 'study',
  answeringModel: 'gpt-4o',
  cells: 1378,
  sealedCells: 0,
  reusedCalls: 0,
  newCalls: range(1378, 20_670, 26_182),
  newAnswers: range(1378, 20_670, 26_182),
  reusedTokens: 999,
  newInputTokens: range(1, 2, 3),
  newOutputTokens: range(1, 2, 3),
  newTokens: range(1000, 12_345, 3_200_000),
  usd: { low: 0.001, expected: 1.5, high: 20 },
  spentUsd: 0,
  diskBytes: range(850, 12_000, 4_500_000_000),
  timeSeconds: range(4.4, 90, 8000),
  measuringSeconds: range(0, 0, 0),
};
const dollarsOf = (usd: number) => ({ low: usd, expected: usd, high: usd });
const textOf = (lanes: readonly EstimatedLane[], more: Partial<PlanEstimate> = {}, below = 0): string =>
  planText(
    {
      headlines: [],
      lanes,
      run: { ...lane, newCalls: range(7, 8, 9) },
      unlimited: { known: [], otherwiseUsd: null },
      assumptions: [],
      warnings: [],
      ...more,
    },
    { below },
  );

/** The words of a row in the first lane's block, which is below the total. */
const row = (text: string, label: string): string[] =>
  (text.split('\n').findLast((line) => line.includes(` ${label} `)) ?? '').trim().split(/\s{2,}/);

test('counts are given in full, large amounts with three digits and their unit', () => {
  const text = textOf([lane]);
  expect(row(text, 'calls')).toEqual(['loops', 'calls', '0', '1,378', '20,670', '26,182']);
  expect(row(text, 'tokens')).toEqual(['gpt-4o', 'tokens', '999', '1.00k', '12.3k', '3.20M']);
  expect(row(text, 'USD')).toEqual(['1,378 cells', 'USD', '$0', '<$0.01', '$1.50', '$20.00']);
  expect(row(text, 'time')).toEqual(['time', '4 s', '1.5 min', '2.2 h']);
  expect(row(text, 'disk')).toEqual(['disk', '850 B', '12.0 kB', '4.50 GB']);
});

// Red before: "0 calls" of a judge at "<$0.01", and at "unknown" without a price.
test('no calls cost $0, in the table and in the short plan', () => {
  const judge: EstimatedLane = { ...lane, role: 'judge', answeringModel: 'umpire', newCalls: range(0, 0, 9) };
  const few = { ...judge, usd: { low: 0, expected: 0.0004, high: 0.02 } };
  expect(row(textOf([few]), 'USD').slice(-4)).toEqual(['$0', '$0', '$0', '$0.02']);
  expect(row(textOf([{ ...judge, usd: null }]), 'USD').slice(-4)).toEqual(['$0', '$0', '$0', 'unknown']);
  const notes = Array.from({ length: 12 }, (_, index) => `note ${index}`);
  expect(textOf([few], { warnings: notes })).toContain('judge: umpire: 0 calls, $0, ');
});

test('the maximum says its condition, unless no limit of a study is sent anyway', () => {
  const lines = (otherwiseUsd: number | null) => textOf([lane], { unlimited: { known: [], otherwiseUsd } }).split('\n');
  const said = lines(1.968).find((line) => line.startsWith('maximum:')) ?? '';
  expect(said).toBe('maximum: unless a model thinks; without maxTokens then, a call may cost $1.97');
  expect(said.length).toBeLessThanOrEqual(80);
  expect(lines(null).filter((line) => line.startsWith('maximum:'))).toEqual([]);
});

test('measuring, which is part of the time, has a line only if there is any', () => {
  expect(textOf([lane])).not.toContain('measuring');
  expect(row(textOf([{ ...lane, measuringSeconds: range(60, 90, 120) }]), 'measuring')).toEqual([
    'measuring',
    '1.0 min',
    '1.5 min',
    '2.0 min',
  ]);
});

test('the highest cost is not rounded down', () => {
  const usd = { low: 1.234, expected: 1.234, high: 1.231 };
  expect(row(textOf([{ ...lane, usd }]), 'USD').slice(-3)).toEqual(['$1.23', '$1.23', '$1.24']);
});

test('a number that rounds up to the next unit is given in it', () => {
  const text = textOf([
    { ...lane, newTokens: range(999.4, 999_499, 999_999), newCalls: range(9_999_999, 10_000_000, 123_456_789) },
  ]);
  expect(row(text, 'tokens').slice(3)).toEqual(['999', '999k', '1.00M']);
  expect(row(text, 'calls').slice(3)).toEqual(['9,999,999', '10.0M', '123M']);
});

test('the table fits into 80 columns, with long names and a large run too', () => {
  const large = range(999_999_999, 999_999_999, 999_999_999);
  const name = 'a-model-with-a-name-of-sixty-characters-that-nobody-would-type-b';
  const wide: EstimatedLane = {
    ...{
      ...lane,
      study: name,
      model: name,
      answeringModel: name,
      role: 'rewriter',
      reusedCalls: 9_999_999,
      newCalls: large,
    },
    ...{ newTokens: large, usd: { low: 99_999, expected: 99_999, high: 99_999 }, timeSeconds: large },
  };
  const lines = textOf([wide, { ...wide, role: 'study', usd: null }]).split('\n');
  const table = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith('reused:')),
  );
  expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(table.join('\n')).toContain('unknown');
});

test('a judge is shown under the model that it judges, a rewriter as one for all models', () => {
  const text = textOf([
    { ...lane, role: 'judge', answeringModel: 'umpire' },
    { ...lane, role: 'rewriter', model: null, answeringModel: 'scribe' },
  ]);
  expect(text.split('\n').map((line) => line.slice(0, 16).trim())).toEqual(
    expect.arrayContaining(['gpt-4o', 'judge: umpire', 'for all models', 'rewriter: scribe']),
  );
});

test('assumptions and warnings are printed without control characters', () => {
  const text = textOf([lane], { assumptions: ['one thing'], warnings: ['no price for \u001b[31mred'] });
  expect(text).toContain('assumed: one thing');
  expect(text).toContain('note: no price for red');
});

describe('a plan of 91 models', () => {
  const many = Array.from({ length: 91 }, (_, index) => ({
    ...lane,
    model: `m${index}`,
    answeringModel: `m${index}`,
    usd: dollarsOf(index),
  }));
  const notes = Array.from({ length: 12 }, (_, index) => `note ${index}`);
  const lines = textOf(many, { warnings: notes, assumptions: ['one thing'], headlines: ['no quality here'] }, 2).split(
    '\n',
  );

  test('is one screen: the total, what it cannot do, the most expensive models, the first notes', () => {
    expect(lines.length).toBeLessThanOrEqual(18);
    expect(lines[2]).toMatch(/^all of it +calls +0 +7 +8 +9$/);
    expect(lines[8]).toBe('note: no quality here');
    expect(lines.filter((line) => line.includes(' cells: ')).map((line) => line.split(', ')[1])).toEqual([
      'm90',
      'm89',
      'm88',
      'm87',
    ]);
    expect(lines).toContain('note: and 9 more notes; --all shows them');
  });

  test.each([1, 2, 3, 4, 91])('with what is printed below, %i models take 20 lines at most, total first', (models) => {
    for (const below of [2, 3, 6]) {
      const unlimited = { known: [], otherwiseUsd: 1.97 };
      const more = { unlimited, warnings: notes, assumptions: notes, headlines: notes };
      const text = textOf(many.slice(0, models), more, below).split('\n');
      expect(text.length + below).toBeLessThanOrEqual(20);
      expect(text[2]).toMatch(/^all of it/);
      expect(text.filter((line) => line.includes(' cells: ')).length).toBeGreaterThanOrEqual(1);
    }
  });

  test('--all shows every model, assumption and note', () => {
    const unlimited = { known: [], otherwiseUsd: null };
    const all = planText(
      { headlines: [], lanes: many, run: lane, unlimited, assumptions: ['one thing'], warnings: notes },
      { all: true },
    );
    for (const name of ['m0 ', 'm45 ', 'assumed: one thing', 'note: note 11']) expect(all).toContain(name);
  });
});

test('the calls of a cell follow from its study', () => {
  const spec = specSchema.parse({
    name: 'both',
    models: [{ id: 'a', provider: 'simulated' }],
    benchmarks: { tiny: { format: 'evenkeel', path: 'tiny.jsonl' } },
    studies: [
      { name: 'loops', kind: 'evaloop', benchmark: 'tiny', settings: { maxLoops: 3, judge: 'a', judgeAsks: 2 } },
      { name: 'moods', kind: 'promptse', benchmark: 'tiny', settings: { samples: 4, rewriter: 'a' } },
    ],
  });
  // At most three programs, two summaries and two asks of the judge, at least one program; four samples.
  const { callsPerCell } = extentOf({ spec, benchmarks: {} } as unknown as Manifest);
  expect(callsPerCell).toEqual({ loops: { least: 1, most: 7 }, moods: { least: 4, most: 4 } });
});
