/** Table `variance_parts` and the variances that `power` takes from a run, over verdicts with known parts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { observedComparison } from '../../analysis/power/observed-comparison.ts';
import { varianceTable } from '../../analysis/report/variance-table.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import { resultsOfKind } from '../../studies/results.ts';
import { currentVarianceParts, varianceParts } from '../../studies/variance-parts.ts';
import { writeRun } from '../analysis/run-fixture.ts';
import oracle from '../fixtures/scipy/variance/variance_parts.json' with { type: 'json' };

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const spec: Manifest['spec'] = parseSpec(
  `name: r
models: [${['m0', 'm1', 'm2', 'm3'].map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { b: { format: evenkeel, path: x } }
studies: [{ name: loops, kind: evaloop, benchmark: b }, { name: nfr, kind: robunfr-prompts, benchmark: b }]
`,
  'spec.yaml',
);

const verdict = (more: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables.verdicts.columns).map((name) => [name, null])),
  ...{ run: 'r', study: 'loops', benchmark: 'b', language: 'python', variant: 'original', setting: 'default' },
  ...{ repetition: 0, loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass', simulated: false },
  ...more,
});

type Answers = readonly (readonly (readonly (readonly (readonly number[])[])[])[])[];

/** Verdicts of tasks x models x variants x repetitions x samples. */
const verdictsOf = (answers: Answers, variantName: (index: number) => string, more: Row = {}): Row[] =>
  answers.flatMap((models, task) =>
    models.flatMap((variants, model) =>
      variants.flatMap((repetitions, variant) =>
        repetitions.flatMap((samples, repetition) =>
          samples.map((passed, sample) =>
            verdict({
              ...{ task_id: `T/${task}`, model: `m${model}`, variant: variantName(variant), repetition, sample },
              ...{ outcome: passed === 1 ? 'pass' : 'wrong_output' },
              ...more,
            }),
          ),
        ),
      ),
    ),
  );

async function opened(rows: readonly Row[], more: Partial<Manifest> = {}): Promise<RunDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-variance-'));
  folders.push(folder);
  await writeRun(folder, [{ table: 'verdicts', page: 'loops/m0/r1p0000', rows }], { runId: 'r', spec, ...more });
  return openRun(folder);
}

const caseOf = (...sizes: readonly number[]) => {
  const found = oracle.cases.find(({ answers }) => {
    const lengths = [answers, answers[0], answers[0]?.[0], answers[0]?.[0]?.[0], answers[0]?.[0]?.[0]?.[0]];
    return lengths.every((list, place) => list?.length === sizes[place]);
  });
  if (found === undefined) throw new Error(`no case of ${sizes.join()}`);
  return found as unknown as { answers: Answers; parts: Readonly<Record<string, number>> };
};

test('the table has the parts that statsmodels finds, and says why others are null', async () => {
  const crossed = caseOf(10, 3, 4, 2, 3);
  const later = verdictsOf(crossed.answers, (index) => `v${index}`, { loop: 2, outcome: 'pass' });
  const database = await opened([...verdictsOf(crossed.answers, (index) => `v${index}`), ...later]);
  const rows = await varianceParts(database);
  // A task or two at a time: nothing but the order of sums may change.
  expect(await varianceParts(database, 200)).toEqual(rows);
  database.close();
  expect(rows).toHaveLength(9);
  for (const row of rows) {
    expect(row['variance'], String(row['part'])).toBeCloseTo(Math.max(0, crossed.parts[String(row['part'])] ?? 9), 10);
    expect(row).toMatchObject({ variants: 'all', n: 720, n_tasks: 10, n_models: 3, n_variants: 4, reason: null });
  }
  expect(rows.find(({ part }) => part === 'model_task')).toMatchObject({ levels: 30 });
  expect(rows.find(({ part }) => part === 'run')).toMatchObject({ levels: 2 });
});

test('one answer per cell: what cannot be told apart is null with its reason', async () => {
  const plain = caseOf(12, 2, 1, 1, 1);
  const passes = verdictsOf(plain.answers, () => 'original').map((row) =>
    row['task_id'] === 'T/0' && row['model'] === 'm0' ? { ...row, outcome: 'pass' } : row,
  );
  const excluded = verdict({ task_id: 'T/0', model: 'm0', suite: 'plus', outcome: 'not_run' });
  const database = await opened([...passes, excluded]);
  const rows = await varianceParts(database);
  database.close();
  const reasons = Object.fromEntries(rows.map((row) => [row['part'], row['reason']]));
  expect(reasons).toEqual({
    ...{ task: null, model: null, sample: null },
    model_task: 'one answer per cell: contained in sample',
    ...{ variant: 'one variant', task_variant: 'one variant', model_variant: 'one variant' },
    ...{ model_task_variant: 'one variant', run: 'one repetition: contained in model_task' },
  });
  // The task with an answer that was not judged is left out.
  expect(rows[0]).toMatchObject({ n_tasks: 11, n_excluded: 1 });
});

// Red before: such an answer was left out, which favours whoever gave it.
test('an answer that fails one suite counts as failed, whatever another suite could not judge', async () => {
  const plain = caseOf(12, 2, 1, 1, 1);
  const answers = verdictsOf(plain.answers, () => 'original');
  const unjudged = answers
    .filter(({ outcome }) => outcome !== 'pass')
    .map((row) => ({ ...row, suite: 'plus', outcome: 'missing_dependency' }));
  const passed = answers.filter(({ outcome }) => outcome === 'pass').map((row) => ({ ...row, suite: 'plus' }));
  const partsOf = async (rows: readonly Row[]) => {
    const database = await opened(rows);
    const found = await varianceParts(database);
    const { tasks, observed } = await observedComparison(database, database.manifests[0] as Manifest, {});
    database.close();
    return { found, tasks, observed };
  };
  expect(unjudged.length).toBeGreaterThan(3);
  expect(await partsOf([...answers, ...passed, ...unjudged])).toEqual(await partsOf(answers));
});

test('phrasings of one requirement are a group; a study of another kind has one group', async () => {
  const { variantGroup } = resultsOfKind('robunfr-prompts');
  expect([variantGroup?.('design-01'), variantGroup?.('my-own-12'), variantGroup?.('original')]).toEqual([
    ...['design', 'my-own', 'original'],
  ]);
  const { answers } = caseOf(11, 3, 2, 1, 1);
  const nfr = verdictsOf(answers, (index) => ['design-01', 'performance-01'][index] as string, { study: 'nfr' });
  const database = await opened([...nfr, ...verdictsOf(answers, (index) => `v${index}`)]);
  const rows = await varianceParts(database);
  database.close();
  expect([...new Set(rows.map(({ study, variants }) => `${study} ${variants}`))]).toEqual([
    ...['loops all', 'nfr design', 'nfr performance'],
  ]);
});

test('the report shows each part as a share with its interval; an active run is computed', async () => {
  const { answers, parts } = caseOf(30, 4, 1, 1, 5);
  const database = await opened(
    verdictsOf(answers, () => 'original'),
    { state: 'running' },
  );
  const table = varianceTable(await currentVarianceParts(database), false);
  database.close();
  const total = Object.values(parts).reduce((sum, value) => sum + Math.max(0, value), 0);
  expect(table.heads.map((head) => (typeof head === 'string' ? head : head.text))).toEqual([
    ...['Study', 'Setting', 'Variants', 'task', 'model', 'model x task', 'sample'],
    ...['variance', 'models', 'variants', 'tasks', 'n'],
  ]);
  const [row = []] = table.rows;
  expect(row[3]).toMatchObject({ text: `${((100 * (parts['task'] ?? 0)) / total).toFixed(1)} %` });
  expect(row.slice(8).map((cell) => (typeof cell === 'string' ? cell : cell.text))).toEqual(['4', '1', '30', '600']);
});

test('power takes between, within and correlation from the first answers to the unchanged prompts', async () => {
  const { answers, parts } = caseOf(30, 4, 1, 1, 5);
  const changed = verdictsOf(answers, () => 'changed', { outcome: 'pass' });
  const database = await opened([...verdictsOf(answers, () => 'original'), ...changed]);
  const [manifest] = database.manifests as [Manifest];
  const found = await observedComparison(database, manifest, {});
  const { task = 0, model_task = 0, sample = 0 } = parts;
  expect(found).toMatchObject({ models: ['m0', 'm1', 'm2', 'm3'], tasks: 30, answers: 600, setting: 'default' });
  expect(found.observed.between?.value).toBeCloseTo(task + model_task, 10);
  expect(found.observed.within?.value).toBeCloseTo(sample, 10);
  const two = await observedComparison(database, manifest, { models: ['m1', 'm3'] });
  expect(two).toMatchObject({ models: ['m1', 'm3'], answers: 300 });
  await expect(observedComparison(database, manifest, { models: ['m1', 'x'] })).rejects.toThrow(
    'no answers of model "x"; there are answers of m0, m1, m2, m3',
  );
  await expect(observedComparison(database, manifest, { study: 'x' })).rejects.toThrow('no study "x"');
  await expect(observedComparison(database, manifest, { models: ['m1'] })).rejects.toThrow(
    'must be two models or more',
  );
  await expect(observedComparison(database, manifest, { setting: 'x' })).rejects.toThrow('no setting "x"');
  database.close();
});

// Red before: '3 tasks not answered by every model: left out', whatever the reason was.
test('power says which tasks were not answered and which not judged, and what two models share', async () => {
  const { answers } = caseOf(30, 4, 1, 1, 5);
  const isMissing = ({ task_id, model }: Row): boolean => model === 'm3' && ['T/7', 'T/8'].includes(String(task_id));
  // A suite that could not judge makes an answer that passes the others unjudged: all five of T/0, one of T/1.
  const unjudged = [0, 1, 2, 3, 4].map((sample) =>
    verdict({ task_id: 'T/0', model: 'm1', sample, suite: 'plus', outcome: 'missing_dependency' }),
  );
  const one = verdict({ task_id: 'T/1', model: 'm1', sample: 0, suite: 'plus', outcome: 'missing_dependency' });
  const isPassed = ({ task_id, model, sample }: Row): boolean =>
    model === 'm1' && (task_id === 'T/0' || (task_id === 'T/1' && sample === 0));
  const rows = verdictsOf(answers, () => 'original')
    .filter((row) => !isMissing(row))
    .map((row) => (isPassed(row) ? { ...row, outcome: 'pass' } : row));
  const database = await opened([...rows, ...unjudged, one]);
  const [manifest] = database.manifests as [Manifest];
  const found = await observedComparison(database, manifest, {});
  const two = await observedComparison(database, manifest, { models: ['m0', 'm1'] });
  database.close();
  expect(found.tasks).toBe(27);
  expect(found.notes).toContain(
    'variances are of the 27 tasks with a judged answer of all 4 models; 3 left out (tasks without an answer: m3 2; ' +
      'tasks whose answers could not be judged: m1 1); every two of these models have 27 to 30 together',
  );
  expect(two.tasks).toBe(29);
  expect(two.notes).toContain(
    'variances are of the 29 tasks with a judged answer of both models; 1 left out (tasks whose answers could not be ' +
      'judged: m1 1)',
  );
});

// Red before: 'no study with answers of two models', although there are such answers.
test('of models that share no judged task, the refusal says so, and what to do', async () => {
  const { answers } = caseOf(30, 4, 1, 1, 5);
  const rows = verdictsOf(answers, () => 'original').map((row) =>
    row['model'] === 'm2' ? { ...row, outcome: 'missing_dependency' } : row,
  );
  const database = await opened(rows);
  const [manifest] = database.manifests as [Manifest];
  await expect(observedComparison(database, manifest, {})).rejects.toThrow(
    'run r has no study with two tasks that all its models, two at least, have judged answers to: name some of them',
  );
  expect((await observedComparison(database, manifest, { models: ['m0', 'm1'] })).tasks).toBe(30);
  // Red before, for both: "name some of them (`power --models`)".
  await expect(observedComparison(database, manifest, { models: ['m0', 'm2'] })).rejects.toThrow(
    'with two tasks that all of the models m0, m2 have judged answers to: name other models, or state the variances',
  );
  await expect(observedComparison(database, manifest, { models: ['m0', 'm0'] })).rejects.toThrow(
    'must be two models or more, with commas between; got "m0"',
  );
  database.close();
});

// Red before: "name some of them (`power --models`)" of one model, and of one task.
test.each([
  ['one model only (m0)', 30, 1],
  ['one task only (T/0)', 1, 3],
])('power of %s says that another run is needed', async (what, tasks, models) => {
  const { answers } = caseOf(30, 4, 1, 1, 5);
  const few = answers.slice(0, tasks).map((own) => own.slice(0, models));
  const database = await opened(verdictsOf(few, () => 'original'));
  const [manifest] = database.manifests as [Manifest];
  await expect(observedComparison(database, manifest, {})).rejects.toThrow(
    `run r has judged answers of ${what}, and a comparison needs two models and two tasks: name another run, or ` +
      'state the variances',
  );
  database.close();
});
