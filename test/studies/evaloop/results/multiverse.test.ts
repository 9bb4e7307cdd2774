/** ASL where verdicts are read in another way than those that decided what was asked; expected values by hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import type { Side } from '../../../../analysis/gate/compared.ts';
import { curvesOf, type Finding } from '../../../../domain/multiverse/finding.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import { evaloopStudy } from '../../../../schemas/spec/evaloop.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { cardEntries } from '../../../../domain/card/card-entry.ts';
import { loopsCard } from '../../../../studies/evaloop/results/card.ts';
import { unaskedJudge } from '../../../../studies/evaloop/rows.ts';
import { findingsIn } from '../../../../studies/multiverse/findings.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

type OwnSide = Side<z.output<typeof evaloopStudy>>;

const study = evaloopStudy.parse({
  ...{ name: 'loops', kind: 'evaloop', benchmark: 'b' },
  settings: { maxLoops: 4, judge: 'judge' },
});

const broken = (loops: number, similarity: number): Row => ({
  ...{ sustained_loops: loops, ended_by: 'code_failed', similarity, similarity_reason: null },
});
const withoutScore = (loops: number, reason: string): Row => ({
  ...broken(loops, 0),
  similarity: null,
  similarity_reason: reason,
});
const unreadable = withoutScore(2, 'no score could be read');
const cutShort: Row = { ...withoutScore(2, 'not asked'), ended_by: 'not_asked' };
const survived: Row = { ...withoutScore(4, 'not needed'), ended_by: 'survived' };
const excluded: Row = { ...withoutScore(0, 'not needed'), ended_by: 'excluded', ended_outcome: 'missing_dependency' };

/** By model, a cell for each of tasks 0 to 4. `gaps` is `old` where both could be judged. */
const cells: Readonly<Record<string, readonly Row[]>> = {
  old: [broken(2, 0.6), cutShort, survived, unreadable, broken(2, 0.2)],
  gaps: [broken(2, 0.6), cutShort, survived, unreadable, excluded],
  plain: [broken(2, 0.2), broken(2, 0.4), broken(2, 0), survived, survived],
  other: [broken(2, 0), broken(2, 0), broken(2, 0.6), survived, survived],
  unscored: [withoutScore(3, 'no score could be read'), survived, survived, survived, survived],
  moved: [withoutScore(2, unaskedJudge), broken(2, 0.6), survived, survived, survived],
};

let folder = '';
let database: RunDatabase;
let manifest: Manifest;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  manifest = await writeRun(folder, [
    {
      table: 'loops',
      page: 'loops/a/p0',
      rows: Object.entries(cells).flatMap(([model, own]) =>
        own.map((row, task) => ({
          ...{ run: 'r', study: 'loops', model, benchmark: 'b', task_id: `T/${task}`, language: 'python' },
          ...{ variant: 'original', setting: 'default', repetition: 0, simulated: false },
          ...row,
        })),
      ),
    },
  ]);
  database = await openRun(folder);
});

afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function found(metric: string, models: readonly string[]): Promise<readonly Finding[]> {
  const [first, ...others] = models.map((model): Side => ({ manifest, study, model }));
  const { findings } = await findingsIn({
    ...{ database, study, options: {}, isOwn: true, metric, sides: [first as Side, ...others] },
    ...{ isSimulated: () => false, notAsked: () => 0 },
  });
  return findings;
}

const estimates = (findings: readonly Finding[]) =>
  findings.map(({ subject: { model, other }, estimate }) => [other === null ? model : `${model} - ${other}`, estimate]);

// Red before: 1.36 of old, whose loops that were not asked had the mean of its breaks.
test('loops that were not asked have the least ASL that they can turn out to have', async () => {
  // i (i - 1 + Sim) / 4: 2 x 1.6, and 2 x 1.2 of task 4. Cut short: 2 x 1. Unreadable: the mean of 0.6 and 0.2.
  expect(estimates(await found('asl', ['old']))).toEqual([
    ['old', expect.closeTo((3.2 + 2 + 16 + 2.8 + 2.4) / 4 / 5, 12)],
  ]);
  // i^2 / 4.
  expect(estimates(await found('asl_unweighted', ['old']))).toEqual([
    ['old', expect.closeTo((4 + 4 + 16 + 4 + 4) / 4 / 5, 12)],
  ]);
});

// Red before: -0.05, since the mean of old's breaks had that of task 4 in it, which gaps lacks.
test.each(['asl', 'asl_unweighted'])(
  '%s: two models that are equal on all shared tasks differ by 0',
  async (metric) => {
    const [difference] = (await found(metric, ['old', 'gaps'])).filter(({ subject }) => subject.other !== null);
    expect([difference?.estimate, difference?.tasks]).toEqual([0, 4]);
  },
);

// Red before: 0.7 and 0.8.
test('a card has the same value of a task for both of them', async () => {
  const [old, gaps] = ['old', 'gaps'].map((model) => ({ manifest, study, model }));
  const [measure] = await loopsCard.read(database, { sides: [old as OwnSide, gaps as OwnSide], changed: new Set() });
  // Unreadable at task 3: (1 + 0.6) / 2, the mean of the one break of a shared task.
  const values = measure !== undefined && 'values' in measure ? measure.values : [];
  expect(values.map((own) => own.get('T/3'))).toEqual([0.8, 0.8]);
});

// Red before: "no task has a value", of a model most of whose tasks have one.
test('a card says that similarities are missing', async () => {
  const [old, unscored] = ['old', 'unscored'].map((model) => ({ manifest, study, model }));
  const sides = [old as OwnSide, unscored as OwnSide] as const;
  const [measure] = await loopsCard.read(database, { sides, changed: new Set() });
  if (measure === undefined || !('values' in measure)) throw new Error('no values');
  const entries = cardEntries(measure, new Set(), { alpha: 0.05, seed: 1 });
  expect(entries.map(({ value, reason }) => [value === null, reason])).toEqual([
    [false, null],
    [true, 'the breaks after a number of loops have no similarity; table asl says which'],
  ]);
});

// Red before: 2.72 of moved, with the mean of its other breaks.
test('where no judge was asked about a break, ASL is null, and the difference counts as missing', async () => {
  const findings = await found('asl', ['old', 'gaps', 'moved']);
  const [, , moved] = findings;
  expect([moved?.subject.model, moved?.estimate, moved?.tasks]).toEqual(['moved', null, 0]);
  const elsewhere = findings.map((one) => ({
    ...one,
    ...{ isOwn: false, estimate: 1, interval: { lo: 0.5, hi: 2 }, options: { suites: 'base' } },
  }));
  const curves = curvesOf([...findings, ...elsewhere]);
  const shown = curves.map(({ subject: { model, other }, conclusion: { universes, missing } }) => [
    ...[model, other],
    ...[universes, missing],
  ]);
  expect(shown).toEqual([
    ['old', null, 2, 0],
    ['gaps', null, 2, 0],
    ['moved', null, 1, 1],
    ['old', 'gaps', 2, 0],
    ['old', 'moved', 1, 1],
    ['gaps', 'moved', 1, 1],
  ]);
  // i^2 / 4 is known of all.
  expect(estimates(await found('asl_unweighted', ['moved']))).toEqual([['moved', (4 + 4 + 16 * 3) / 4 / 5]]);
});

// Red before: -2e-17, which is a direction.
test('differences that cancel out are 0, not what rounding leaves of them', async () => {
  // (1 + Sim) / 2: 0.1 + 0.2 - 0.3.
  const [, , difference] = await found('asl', ['plain', 'other']);
  expect(difference?.estimate).toBe(0);
});
