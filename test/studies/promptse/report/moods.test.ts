/** The four questions over a run that is small enough to count by hand; see moods-run.ts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun } from '../../../../analysis/database.ts';
import { collectPromptse, promptseDocument, type PromptseReport } from '../../../../studies/promptse/report/data.ts';
import type { AffectGroup } from '../../../../studies/promptse/results/affect/affect.ts';
import { encodeTable } from '../../../../activities/storage/parts/parquet.ts';
import { promptseResults } from '../../../../studies/promptse/results/index.ts';
import type { DerivedTables } from '../../../../studies/study-results.ts';
import { calibrationOfRun } from '../../../../studies/promptse/results/tables.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import { type Row, tables } from '../../../../schemas/tables.ts';
import { closedModel, writeMoodsRun } from '../../../analysis/report/moods-run.ts';

let folder = '';
let report: PromptseReport;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-moods-run-'));
  await writeMoodsRun(folder);
  const database = await openRun(folder);
  report = await collectPromptse(database);
  database.close();
});
afterAll(() => rm(folder, { recursive: true }));

const affectOf = (model: string) => report.questions[0]?.affect.find((one) => one.model === model);
const trajectoryOf = (model: string) => report.questions[0]?.trajectories.find((one) => one.model === model);
/** Of four equal tasks Gaffke's bounds allow so much of what lies at the end of the range. */
const unseen = 1 - 0.025 ** (1 / 4);
const group = (model: string, by: AffectGroup['by'], name: string): AffectGroup | undefined =>
  affectOf(model)?.groups.find((one) => one.by === by && one.name === name);

test('RQ1: three models by Light, two with log-probabilities by PromptSE, in their families and sizes', () => {
  const structure = report.questions[0]?.structure;
  expect(structure?.full.models.map(({ model, quadrant }) => [model, quadrant])).toEqual([
    ['steady', 'high, steady'],
    ['touchy', 'high, touchy'],
  ]);
  expect(structure?.light.models).toHaveLength(3);
  expect(structure?.full.groups.map(({ by, group: name, n }) => [by, name, n])).toEqual([
    ['family', 'Alpha', 1],
    ['family', 'Beta', 1],
    ['size', 'small', 1],
    ['size', 'large', 1],
  ]);
  // E(d) of touchy is 1/2 at each distance, (1/2 + 4/2 + 1/2) / 9.
  expect(structure?.full.models[1]?.aucE).toBeCloseTo(3 / 9, 12);
});

test('RQ2 is over all samples, whatever Light takes; only Light’s elasticities can differ', async () => {
  const other = await mkdtemp(join(tmpdir(), 'evenkeel-moods-light-'));
  try {
    await writeMoodsRun(other, 2);
    const database = await openRun(other);
    const [questions] = (await collectPromptse(database)).questions;
    database.close();
    // The grid is of AUC-E, and of Light's for the model without log-probabilities.
    expect({ ...questions?.deltas, grid: null }).toEqual({ ...report.questions[0]?.deltas, grid: null });
    expect(questions?.structure.light.models.map(({ aucE }) => aucE)).toEqual(
      [2 / 3, 2 / 3, 2 / 3].map((most) => expect.closeTo(most, 12)),
    );
  } finally {
    await rm(other, { recursive: true });
  }
});

test('RQ2: |delta pass| is 0 for steady and 1/2 for the others, on every task and at every distance', () => {
  const deltas = report.questions[0]?.deltas;
  expect(deltas?.distances.map(({ distance, n, meanAbsolute }) => [distance, n, meanAbsolute])).toEqual(
    [0.1, 0.2, 0.3].map((distance) => [distance, 12, expect.closeTo(1 / 3, 12)]),
  );
  const means = deltas?.size?.spreads
    .filter(({ distance }) => distance === null)
    .map(({ group: name, meanAbsolute }) => [name, meanAbsolute]);
  expect(means).toEqual([
    ['tiny', 0.5],
    ['small', 0],
    ['large', 0.5],
  ]);
  expect(deltas?.size?.pairs.map(({ groups, cliffsDelta }) => [...groups, cliffsDelta])).toEqual([
    ['tiny', 'small', 1],
    ['tiny', 'large', 0],
    ['small', 'large', -1],
  ]);
  expect(deltas?.interaction.reason).toContain('no two levels');
  expect(deltas?.grid.filter(({ method }) => method === 'light').map(({ size, family }) => [size, family])).toEqual([
    ['tiny', 'Beta'],
    ['small', 'Alpha'],
    ['large', 'Beta'],
  ]);
});

test('RQ4: by emotion and quadrant, of pass rates, elasticity with floor, and the signed deltas', () => {
  expect(group('touchy', 'emotion', 'anxious')).toMatchObject({
    ...{
      n: 12,
      passRate: { value: 0 },
      meanAbsoluteDelta: { value: 1 },
      elasticity: { value: 0 },
      floor: { value: 1 },
      excess: { value: -1 },
    },
  });
  expect(group('touchy', 'emotion', 'calm')).toMatchObject({
    passRate: { value: 1 },
    elasticity: { value: 1 },
    excess: { value: 0 },
  });
  expect(group('touchy', 'quadrant', 'negative, active')).toMatchObject({ n: 12, elasticity: { value: 0 } });
  expect(group('touchy', 'quadrant', 'positive, calm')).toMatchObject({ n: 12, elasticity: { value: 1 } });
  expect(group(closedModel, 'emotion', 'calm')).toMatchObject({
    elasticity: null,
    floor: null,
    calibration: null,
    passRate: { value: 0 },
  });
  expect(affectOf('touchy')).toMatchObject({ withoutQuadrant: 0 });
  expect(affectOf('touchy')?.deltas).toEqual(
    ['anxious', 'calm'].flatMap((emotion) =>
      [0.1, 0.2, 0.3].map((distance) =>
        emotion === 'anxious'
          ? { emotion, distance, delta: -1, interval: { lo: -1, hi: expect.closeTo(-1 + 2 * unseen, 9) }, n: 4 }
          : {
              emotion,
              distance,
              delta: 0,
              interval: { lo: expect.closeTo(-unseen, 9), hi: expect.closeTo(unseen, 9) },
              n: 4,
            },
      ),
    ),
  );
});

test('RQ4: calibration 0.05 if all pass at 0.95, 0.2 if all fail at 0.2; then distances, trajectories', () => {
  expect(group('touchy', 'emotion', 'calm')?.calibration?.value).toBeCloseTo(0.05, 9);
  expect(group('touchy', 'emotion', 'anxious')).toMatchObject({
    sureFailures: { value: 0, interval: { lo: 0 } },
    unsureSuccesses: { value: 0 },
    overconfidence: { value: expect.closeTo(0.2, 9) },
  });
  expect(group('touchy', 'original', 'original')?.calibration).toMatchObject({ n: 16, value: expect.closeTo(0.05, 9) });
  expect(group('touchy', 'distance', '0.2')?.calibration?.value).toBeCloseTo((8 * 0.05 + 8 * 0.2) / 16, 9);
  expect(affectOf('touchy')?.confidenceDistances).toMatchObject([
    { emotions: ['anxious', 'calm'], test: { statistic: 1, n: 48 } },
  ]);
  expect(affectOf('steady')?.deltaDistances).toMatchObject([{ test: { statistic: 0, p: 1 } }]);
  expect(trajectoryOf(closedModel)).toBeUndefined();
  expect(affectOf(closedModel)).toMatchObject({ confidenceDistances: [] });
  expect(trajectoryOf('touchy')?.failing).toEqual(
    [1, 2].map((position) => ({
      ...{ position, n: 24, tasks: 4, mean: expect.closeTo(Math.log(0.2), 6) },
      // From a nat below the tasks, which are alike, to 0.
      interval: { lo: expect.closeTo(Math.log(0.2) - unseen, 6), hi: expect.closeTo(Math.log(0.2) * (1 - unseen), 6) },
    })),
  );
});

test('RQ4: the mood explains all of touchy, so nothing is left to test; a constant outcome has no test', () => {
  const variance = affectOf('touchy')?.variance.softDelta;
  if (variance?.reason !== null) throw new Error(variance?.reason);
  expect(variance).toMatchObject({ n: 24, clusters: 4, f: null });
  // Calm is (1, -1), anxious (-1, 1): the second of the two is the first again, and both together
  // tell the outcome wholly.
  expect(variance.r2Controls + variance.deltaR2).toBeCloseTo(1, 9);
  expect(variance.effects.map(({ p }) => p)).toEqual([null, null]);
  expect(affectOf('steady')?.variance.softDelta.reason).toBe('the outcome is constant');
  expect(affectOf(closedModel)?.variance.gap.reason).toBe('no observation');
});

test('a complete run’s report says the same, and takes its calibration from the stored table', async () => {
  const running = await openRun(folder);
  const [manifest] = running.manifests as [Manifest];
  const derived = await promptseResults.derive(running, manifest);
  running.close();
  const of = async (tables_: DerivedTables): Promise<PromptseReport> => {
    const other = await mkdtemp(join(tmpdir(), 'evenkeel-moods-stored-'));
    try {
      await writeMoodsRun(other, null, tables_);
      const database = await openRun(other);
      const found = await collectPromptse(database);
      database.close();
      return found;
    } finally {
      await rm(other, { recursive: true });
    }
  };
  const whole = await of(derived);
  expect(whole.questions[0]?.affect).toEqual(report.questions[0]?.affect);
  const changed = derived.calibration?.map((row) => ({ ...row, ece: 0.625 }));
  const affect = (await of({ ...derived, calibration: changed ?? [] })).questions[0]?.affect;
  expect(
    affect?.find(({ model }) => model === 'touchy')?.groups.map(({ calibration }) => calibration?.value),
  ).toContain(0.625);
});

test('the JSON form has the trajectories of all models', async () => {
  const database = await openRun(folder);
  const short = { ...report, questions: report.questions.map((one) => ({ ...one, trajectories: [] })) };
  const document = (await promptseDocument(database, short)) as {
    questions: { affect: { model: string; passing: unknown; failing: unknown }[] }[];
  };
  database.close();
  for (const { model, passing, failing } of document.questions[0]?.affect ?? [])
    expect({ model, passing, failing }).toEqual(trajectoryOf(model) ?? { model, passing: [], failing: [] });
  expect(document.questions[0]?.affect.map(({ model }) => model)).toContain(closedModel);
});

test('table calibration says what the report says, by emotion and over bins that add up', async () => {
  const database = await openRun(folder);
  const { calibration, calibration_bins: bins } = await calibrationOfRun(database, database.manifests[0] as Manifest);
  database.close();
  const groups = report.questions
    .flatMap(({ affect }) => affect)
    .flatMap(({ model, groups: all }) => all.map((one) => ({ model, ...one })));
  const calibrated = groups.filter((one) => one.calibration !== null);
  expect(calibrated.length).toBeGreaterThan(4);
  for (const { model, by, name, calibration: error, overconfidence } of calibrated) {
    const row = calibration.find((one) => one['model'] === model && one['grouped_by'] === by && one['member'] === name);
    expect(row).toMatchObject({
      ece: error?.value,
      n: error?.n,
      overconfidence: overconfidence?.value,
      simulated: true,
      bins: 10,
    });
    expect([row?.['ece_lo'] ?? null, row?.['ece_hi'] ?? null]).toEqual([
      error?.interval?.lo ?? null,
      error?.interval?.hi ?? null,
    ]);
  }
  expect(calibration.some((row) => row['model'] === closedModel)).toBe(false);
  for (const row of calibration.filter((one) => ['all', 'original', 'variants'].includes(String(one['grouped_by'])))) {
    const own = bins.filter((bin) => ['model', 'grouped_by', 'member'].every((column) => bin[column] === row[column]));
    const sum = (of: (bin: Row) => number): number => own.reduce((total, bin) => total + of(bin), 0);
    expect(sum((bin) => Number(bin['n']))).toBe(row['n']);
    // The error is the bins' gaps, weighted by their samples.
    const gaps = sum((bin) => Number(bin['n']) * Math.abs(Number(bin['pass_rate']) - Number(bin['mean_confidence'])));
    expect(gaps / Number(row['n'])).toBeCloseTo(Number(row['ece']), 9);
    for (const bin of own) {
      expect(Number(bin['mean_confidence'])).toBeGreaterThanOrEqual(Number(bin['bin_from']) - 1e-9);
      expect(Number(bin['mean_confidence'])).toBeLessThanOrEqual(Number(bin['bin_to']) + 1e-9);
    }
  }
  expect(() => encodeTable(tables.calibration, calibration)).not.toThrow();
  expect(() => encodeTable(tables.calibration_bins, bins)).not.toThrow();
});
