/** Two versions of which an answer could not be judged: what each page says of the change, counted by hand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { partsMarkdown } from '../../../analysis/report/text/markdown.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { cardsOf } from '../../../studies/cards.ts';
import { compareOver } from '../../../studies/compare.ts';
import { gateOver } from '../../../studies/gate.ts';
import { worseVersions } from '../../../studies/robunfr/report/worse-versions.ts';
import { comparisonsTable } from '../../../studies/robunfr/report/verdicts.ts';
import { type RegressionRow, robunfrBoard } from '../../../studies/robunfr/results/board.ts';
import { robunfrTables } from '../../../studies/robunfr/results/tables.ts';
import { currentTables } from '../../../analysis/current-tables.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const models = ['old', 'new'];
const spec = parseSpec(
  `
name: r
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - name: update
    kind: robunfr-regression
    benchmark: b
    repetitions: 2
    settings: { dimensions: [{ name: guard, phrasings: [Guard] }], pairs: [[old, new]] }
`,
  'r.yaml',
);

const filled = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

type Outcomes = (model: string, task: number, repetition: number) => string;

/** All pass, but for these; one of the new version could not be judged. */
function oneUnjudged(model: string, task: number, repetition: number): string {
  if (task === 0 && model === 'new' && repetition === 0) return 'missing_dependency';
  if (task === 0 && model === 'old' && repetition === 1) return 'wrong_output';
  return task === 1 && model === 'new' ? 'wrong_output' : 'pass';
}

/** Of the new version one task was judged: the one that the old version fails. */
function mostUnjudged(model: string, task: number): string {
  if (model === 'old') return task === 0 ? 'wrong_output' : 'pass';
  return task === 0 ? 'pass' : 'missing_dependency';
}

const passedOf: Readonly<Record<string, boolean>> = { pass: true, wrong_output: false };

/** A run with two answers of each version to each of ten tasks. */
async function opened(run: string, outcomeOf: Outcomes): Promise<RunDatabase> {
  const answers = models.flatMap((model) =>
    Array.from({ length: 20 }, (_, place) => {
      const [task, repetition] = [Math.floor(place / 2), place % 2];
      const cell = {
        ...{ run, study: 'update', model, benchmark: 'b', task_id: `T/${task}`, language: 'python', repetition },
        ...{ variant: 'original', setting: 'function-only', simulated: false, step: 'generate' },
      };
      return { cell, outcome: outcomeOf(model, task, repetition) };
    }),
  );
  const scores = answers.map(({ cell, outcome }) =>
    filled('nfr_scores', { ...cell, dimension: 'function-only', passed: passedOf[outcome] ?? null }),
  );
  const verdicts = answers.map(({ cell, outcome }) =>
    filled('verdicts', { ...cell, loop: 1, sample: 0, suite: 'base', outcome }),
  );
  await writeRun(
    join(folder, run),
    [
      { table: 'nfr_scores', page: 'update/m/r1p0000', rows: scores },
      { table: 'verdicts', page: 'update/m/r1p0000', rows: verdicts },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run, model, simulated: false })) },
    ],
    { runId: run, spec, state: 'running' },
  );
  return openRun(join(folder, run));
}

let folder = '';
let database: RunDatabase;
let hiding: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-versions-'));
  database = await opened('r', oneUnjudged);
  hiding = await opened('hiding', mostUnjudged);
});
afterAll(async () => {
  database.close();
  hiding.close();
  await rm(folder, { recursive: true });
});

const changeOn = async (runs: RunDatabase): Promise<Row | undefined> =>
  (await cardsOf(runs)).cards.find(({ metric, estimate }) => metric === 'version_change' && estimate !== null);

const regressionOf = async () => {
  const { regression } = await currentTables(database, ['regression'], database.manifests, robunfrTables);
  const none = { nfr_summary: [], nfr_stdev_parts: [], nfr_phrasings: [], nfr_workflows: [] };
  return robunfrBoard({ ...none, regression }).regressions.filter(({ metric }) => metric === 'pass_at_1');
};

// Red before: 0 on the card. Task 0 gains half a task, from 1 of 2 to 1 of 1, and task 1 loses a whole one.
test('card, compare and gate have the same change: that of each task’s means', async () => {
  expect((await changeOn(database))?.['estimate']).toBeCloseTo(-5, 9);
  const { comparisons } = await compareOver(database, {
    ...{ metric: 'pass_at_1', byVariant: false, margin: 0, alpha: 0.05 },
  });
  const pair = comparisons.flatMap(({ pairs }) => pairs);
  expect(pair.map(({ difference }) => Math.abs(difference))).toEqual([expect.closeTo(5, 9)]);
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1', margin: 5 }] });
  const gate = await gateOver(database, { run: 'r', old: 'old', now: 'new' }, policy);
  const [check] = gate.comparisons.flatMap(({ result }) => result.rules.flatMap(({ checks }) => checks));
  expect(check).toMatchObject({ difference: expect.closeTo(-5, 9) });
});

// Red before: an interval up to less than the estimate, which is of one task and may be at most 10 of all.
test('the interval on the card has that of the tasks judged in both versions, too', async () => {
  const { estimate, estimate_lo: lo, estimate_hi: hi } = (await changeOn(hiding)) ?? {};
  expect([estimate, hi]).toEqual([100, 100]);
  // If all others failed: one task of ten gained, and nine lost.
  expect(Number(lo)).toBeLessThanOrEqual(-80);
});

// By repetition: of 9 tasks 9 and 8 pass; of 10 tasks 9 and 9.
test('the regression table has that of the answers judged in both versions, and says so', async () => {
  const [row, ...others] = await regressionOf();
  expect(others).toEqual([]);
  expect(row).toMatchObject({ n: 19, nExcluded: 1, difference: { value: expect.closeTo(-100 / 18, 9) } });
  const pages = (more: Partial<RegressionRow>) => {
    const rows = row === undefined ? [] : [{ ...row, ...more }];
    const [worse] = worseVersions(rows.map((one) => ({ ...one, verdict: 'worse' })));
    return { text: partsMarkdown([comparisonsTable(rows)]), verdict: worse?.verdicts.join() };
  };
  // Red before: neither said of how many answers the difference is.
  expect(pages({}).text).toContain('pass@1: 1 of 20 answers was not judged in both versions.');
  expect(pages({}).verdict).toContain('(-5.56 points of the 19 of 20 answers judged in both versions, ');
  expect(pages({ nExcluded: 0 }).text).not.toContain('judged');
  expect(pages({ nExcluded: 0 }).verdict).not.toContain('judged');
});
