/** Random values of which some were not judged, or never asked for: cards, `compare` and the gate, by brute force. */
import { expect, test } from 'vitest';
import {
  comparedTasks,
  openTasks,
  type OpenValues,
  plainSubject,
  sharedTasks,
} from '../../../analysis/gate/compared.ts';
import { cardEntries } from '../../../domain/card/card-entry.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import { uniform } from '../../../domain/random.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { subjectReport } from '../../../studies/across/subject-report.ts';

const range = { kind: 'bounded', lo: 0, hi: 1 } as const;
const metric: CardMetric = {
  ...{ name: 'score', title: 'Score', trait: 'wording', direction: 'higher', unit: '', meaning: '' },
  ...{ text: String, says: () => '' },
};
const spec = parseSpec(
  `
name: r
models: [{ id: m, provider: simulated }]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: words, kind: promptse, benchmark: b }]
`,
  'r.yaml',
);
const manifest = { runId: 'r', spec } as unknown as Manifest;
const [study] = spec.studies;

type Cell = Readonly<{ value: number | null; least: number; most: number }> | null;

/** Judged, judged in part, not judged, or absent. */
function cellOf(next: () => number, judged: number, absent: number): Cell {
  if (next() < absent) return null;
  const value = Math.round(4 * next()) / 4;
  if (next() < judged) return { value, least: value, most: value };
  return { value: next() < 0.4 ? value : null, least: value / 2, most: (1 + value) / 2 };
}

function matrixOf(next: () => number): Cell[][] {
  const [models, tasks, absent] = [2 + Math.floor(4 * next()), 1 + Math.floor(5 * next()), 0.3 * next()];
  return Array.from({ length: models }, () => {
    const judged = next();
    return Array.from({ length: tasks }, () => cellOf(next, judged, absent));
  });
}

const sideOf = (cells: readonly Cell[]): OpenValues => {
  const mapOf = (of: (cell: NonNullable<Cell>) => number | null) =>
    new Map(
      cells.flatMap((cell, task): [string, number][] => {
        const value = cell === null ? null : of(cell);
        return value === null ? [] : [[`T/${task}`, value]];
      }),
    );
  return {
    ...{ values: mapOf(({ value }) => value), least: mapOf(({ least }) => least), most: mapOf(({ most }) => most) },
    unjudged: cells.filter((cell) => cell !== null && cell.least !== cell.most).length,
  };
};

/** Of every number in it. */
function areFinite(found: unknown): boolean {
  if (typeof found === 'number') return Number.isFinite(found);
  return typeof found !== 'object' || found === null || Object.values(found).every(areFinite);
}

const comparedOf = (sides: readonly OpenValues[]) => {
  const open = openTasks(sides, new Set());
  const tasks = sharedTasks(
    sides.map(({ values }) => values),
    new Set(),
  );
  const subject = plainSubject('auc_e_normalized', 'b', 'light');
  return comparedTasks(subject, { ...tasks, ...(open && { open: open.open }) }, range, open?.inGate ?? null);
};

function reportOf(sides: readonly OpenValues[]) {
  if (study === undefined) throw new Error('the spec has a study');
  const places = sides.map((_, place) => place);
  const models = places.map((place) => ({ name: `m${place}`, run: 'r', model: `m${place}`, simulated: false }));
  const known = { found: comparedOf(sides), places, without: [], withoutSuite: [] };
  return subjectReport([{ manifest, study, model: 'm0' }], models, known, { margin: 0, alpha: 0.05 });
}

const entriesOf = (sides: readonly OpenValues[]) => {
  const extremes = { least: sides.map(({ least }) => least), most: sides.map(({ most }) => most) };
  const isOpen = sides.some(({ unjudged }) => unjudged > 0);
  const values = sides.map((side) => side.values);
  const measure = { metric, condition: 'all', range, values, ...(isOpen && { extremes }) };
  return cardEntries(measure, new Set(), { alpha: 0.05, seed: 1 });
};

/** Tasks that all these models have answered. */
const sharedOf = (sides: readonly OpenValues[]): string[] =>
  [...(sides[0]?.least.keys() ?? [])].filter((task) => sides.every(({ least }) => least.has(task)));
const meanOn = ({ values }: OpenValues, tasks: readonly string[]): number | null =>
  mean(tasks.flatMap((task) => values.get(task) ?? []));

/** The mean, or the nearest that all shared tasks may have. */
function possible({ least, most }: OpenValues, tasks: readonly string[], value: number): number {
  const [lo, hi] = [least, most].map((ends) => mean(tasks.flatMap((task) => ends.get(task) ?? []))) as [number, number];
  return Math.min(hi, Math.max(lo, value));
}

const next = uniform(11);
const matrices = Array.from({ length: 300 }, () => matrixOf(next).map(sideOf));

// Red before: a crash wherever a model has values, and of the shared tasks none.
test('a card has the mean of the judged shared tasks, if all may have it; no value and no rank without any', () => {
  let elsewhere = 0;
  for (const sides of matrices) {
    const entries = entriesOf(sides);
    expect(areFinite(entries)).toBe(true);
    const having = sides.filter(({ values }) => values.size > 0);
    const tasks = sharedOf(having);
    const known = having.filter((side) => meanOn(side, tasks) !== null).length;
    expect(entries.map(({ model }) => model).toSorted((a, b) => a - b)).toEqual(sides.map((_, model) => model));
    for (const { model, value, rank, reason, interval } of entries) {
      const side = sides[model] as OpenValues;
      const wanted = side.values.size === 0 ? null : meanOn(side, tasks);
      if (wanted === null) {
        if (side.values.size > 0 && tasks.length > 0) elsewhere += 1;
        expect([value, interval, rank]).toEqual([null, null, null]);
        expect(reason).toBe(reasonOf(side, tasks));
      } else
        expect([value, rank?.models, reason]).toEqual([expect.closeTo(possible(side, tasks, wanted), 12), known, null]);
    }
  }
  expect(elsewhere).toBeGreaterThan(20);
});

function reasonOf({ values }: OpenValues, tasks: readonly string[]): string {
  if (values.size === 0) return 'no task has a value';
  return tasks.length === 0 ? 'the models share no task with a value' : 'it has no value on the shared tasks';
}

// Red before: "no answer of m1 could be judged", of a model with judged answers to other tasks.
test('a comparison is that of the models with a shared value, as if there were no others, and names the others', () => {
  let elsewhere = 0;
  for (const sides of matrices.filter((one) => sharedOf(one).length > 0 && one.some(({ unjudged }) => unjudged > 0))) {
    const { comparisons, left } = reportOf(sides);
    expect(areFinite(comparisons)).toBe(true);
    const tasks = sharedOf(sides);
    const known = sides.flatMap((side, place) => (meanOn(side, tasks) === null ? [] : [place]));
    const told = comparisons.flatMap(({ models }) => models.map(({ name }) => name));
    expect(told).toEqual(known.length > 1 ? known.map((place) => `m${place}`) : []);
    const others = sides.flatMap(({ values }, place) =>
      known.includes(place) || values.size === 0 ? [] : [`m${place}`],
    );
    const said = left.filter(({ text }) => text.includes('no value on the shared tasks')).map(({ text }) => text);
    elsewhere += others.length;
    if (others.length > 0) expect(said[0]?.startsWith(others.join(', '))).toBe(true);
    else expect(said).toEqual([]);
    const on = (map: OpenValues['values']) =>
      new Map(tasks.flatMap((task) => (map.has(task) ? [[task, map.get(task) as number]] : [])));
    const alone = known
      .flatMap((place) => sides[place] ?? [])
      .map(({ values, least, most, unjudged }) => ({ values: on(values), least: on(least), most: on(most), unjudged }));
    if (known.length > 1 && alone.some(({ unjudged }) => unjudged > 0)) {
      const [own] = reportOf(alone).comparisons;
      expect(comparisons[0]?.pairs).toEqual(own?.pairs);
    }
  }
  expect(elsewhere).toBeGreaterThan(20);
});

test('a gate of any two sides has numbers, or says that it has none', () => {
  for (const [old, now] of matrices) {
    const { tasks, estimate } = comparedOf([old as OpenValues, now as OpenValues]);
    const found = (['higher', 'lower'] as const).map((direction) => estimate({ level: 0.95, direction, margin: 0.1 }));
    expect(areFinite(found)).toBe(true);
    if (tasks?.taskIds.length === 0) expect(found.map(({ interval }) => interval)).toEqual([null, null]);
  }
});
