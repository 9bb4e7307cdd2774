/** Answers of PromptSE that could not be judged: no lead and no pass comes from them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import { openTasks } from '../../../../analysis/gate/compared.ts';
import { compareModels } from '../../../../domain/compare/comparison.ts';
import { gatePolicySchema } from '../../../../domain/gate/policy.ts';
import { uniform } from '../../../../domain/random.ts';
import { parseSpec } from '../../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { cardsOf } from '../../../../studies/cards.ts';
import { compareOver } from '../../../../studies/compare.ts';
import { gateOver } from '../../../../studies/gate.ts';
import {
  elasticityExtremes,
  type OpenElasticities,
} from '../../../../studies/promptse/results/elasticity/elasticity-extremes.ts';
import { elasticityRows, type Method } from '../../../../studies/promptse/results/elasticity/elasticity-rows.ts';
import { elasticityValues } from '../../../../studies/promptse/results/elasticity/elasticity-values.ts';
import { resultsOfKind } from '../../../../studies/results.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

const models = ['hides', 'never', 'shows', 'steady'];
const spec = parseSpec(
  `
name: r
seed: 7
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - { name: moods, kind: promptse, benchmark: b, repetitions: 2, settings: { variants: 1, samples: 2 } }
`,
  'r.yaml',
);

/** Of a prompt's answers: passed, failed, not judged. */
type Counts = readonly [passed: number, failed: number, open: number];

function scoreRow(model: string, task: number, [variant, repetition]: readonly [string, number], counts: Counts): Row {
  const [passed, failed, open] = counts;
  const judged = passed + failed;
  const rate = judged === 0 ? null : passed / judged;
  return {
    ...{ run: 'r', study: 'moods', model, benchmark: 'b', task_id: `T/${task}`, language: 'python', variant },
    ...{ setting: 'default', repetition, simulated: false, emotion: null, edit_distance: null },
    distance: variant === 'original' ? null : Number(variant.slice(1)),
    ...{ n_samples: judged, n_passed: passed, n_excluded: open, n_without_logprobs: 0, pass_rate: rate },
    ...{ light_samples: judged, light_passed: passed, soft_exec: rate },
  };
}

const prompts = [
  ['original', 0],
  ['original', 1],
  ['v0.1', 0],
  ['v0.2', 0],
  ['v0.3', 0],
] as const;

const taskRows = (model: string, task: number, original: () => Counts, variant: () => Counts): Row[] =>
  prompts.map((prompt) => scoreRow(model, task, prompt, prompt[0] === 'original' ? original() : variant()));

/** All pass the original always; of two answers to each variant the first two models pass one. */
const variantCounts: Readonly<Record<string, Counts>> = {
  ...{ hides: [1, 0, 1], never: [0, 0, 2], shows: [1, 1, 0], steady: [2, 0, 0] },
};

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-wording-'));
  const rows = models.flatMap((model) =>
    Array.from({ length: 30 }, (_, task) => {
      const original: Counts = model === 'never' ? [0, 0, 2] : [2, 0, 0];
      return taskRows(
        model,
        task,
        () => original,
        () => variantCounts[model] ?? [0, 0, 0],
      );
    }).flat(),
  );
  // Only that there are answers matters.
  const verdicts = rows
    .filter(({ variant, repetition }) => variant === 'v0.1' && repetition === 0)
    .map((row) => ({ ...row, loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' }));
  await writeRun(
    folder,
    [
      { table: 'prompt_scores', page: 'moods/m/r1p0000', rows },
      { table: 'verdicts', page: 'moods/m/r1p0001', rows: verdicts },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run: 'r', model, simulated: false })) },
    ],
    { runId: 'r', spec },
  );
  database = await openRun(folder);
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

// Red before: `hides` was better than `shows` with p = 2^-29, of four models none was compared, and there was no note.
test.each([
  // One of two answers to each variant: 1 - 1/2 at least; any answer may have all the weight of SoftExec.
  ['auc_e_normalized', 'light', [1, 0.5, 1], [0.5, 1]],
  ['auc_e_normalized', 'full', [1, 0.5, 1], [0, 1]],
  // Six ninths of the elasticity, less a floor of 1.
  ['auc_e_excess', 'light', [0, -1 / 3, 0], [-1 / 3, 0]],
  ['auc_e_excess', 'full', [0, -1 / 3, 0], [-2 / 3, 0]],
] as const)(
  '%s, %s: a model that hides its failures is not ahead of an equal one',
  async (metric, method, means, ends) => {
    const { comparisons, notes } = await compareOver(database, { metric, byVariant: false, margin: 0, alpha: 0.05 });
    const found = comparisons.find(({ subject }) => subject.dimension === method);
    expect(found?.models.map(({ name }) => name)).toEqual(['hides', 'shows', 'steady']);
    expect(found?.taskIds).toHaveLength(30);
    const values = found?.standings.toSorted((a, b) => a.model - b.model).map(({ value }) => value);
    expect(values).toEqual(means.map((mean) => expect.closeTo(mean, 9)));
    expect(found?.extremes?.least[0]?.[0]).toBeCloseTo(ends[0], 9);
    expect(found?.extremes?.most[0]?.[0]).toBeCloseTo(ends[1], 9);
    expect(found?.pairs.map(({ verdict, p }) => [verdict, p])).toEqual([
      ['inconclusive', 1],
      ['inconclusive', 1],
      // 30 of 30 tasks: 2 / 2^30.
      ['worse', expect.closeTo(2 ** -29, 12)],
    ]);
    expect(notes).toContain(
      'study moods: answers that could not be judged are in no mean (hides 90); a model is only called better if it ' +
        'is with its own at their worst and the other’s at their best, and intervals have all that they allow',
    );
    expect(notes).toContain(`study moods, ${metric}: no answer of never could be judged: left out`);
  },
);

// Red before: passed.
test.each(['auc_e_normalized', 'auc_e_excess'])('a gate on %s does not pass it either', async (metric) => {
  const policy = gatePolicySchema.parse({ rules: [{ metric, dimension: 'light', margin: 0.3 }] });
  const outcome = async (old: string, now: string): Promise<string> =>
    (await gateOver(database, { run: 'r', old, now }, policy)).outcome;
  expect(await outcome('steady', 'hides')).toBe('inconclusive');
  expect(await outcome('shows', 'steady')).toBe('passed');
});

// Red before: `hides` was shown to be better than `shows`.
test('cards have the same verdicts', async () => {
  const { cards } = await cardsOf(database);
  const own = cards.filter(({ metric, condition }) => metric === 'auc_e_excess' && condition === 'light');
  expect(own.map((row) => [row['model'], row['n_better'], row['n_worse']])).toEqual([
    ['hides', 0, 0],
    ['never', null, null],
    ['shows', 1, 0],
    ['steady', 0, 1],
  ]);
});

// Red before: cards that an older program stored were shown as they were.
test('stored cards of such a run are computed again', async () => {
  const [manifest] = database.manifests;
  expect(manifest && (await resultsOfKind('promptse').mayHaveEarlierCards?.(database, manifest))).toBe(true);
});

function extremesOf(rows: readonly Row[], method: Method): OpenElasticities {
  const values = elasticityValues(elasticityRows(rows, 1).filter((row) => row['method'] === method));
  return elasticityExtremes(rows, { method, values, logprobs: true });
}

test('an original that was judged in part, and a variant that was not at all', () => {
  // The original's pass rate is 1/2 or 1; that of the variants 0 to 1: up to 1 apart.
  const rows = [
    ...taskRows(
      'm',
      0,
      () => [1, 0, 1],
      () => [2, 0, 0],
    ),
    ...taskRows(
      'm',
      1,
      () => [1, 0, 1],
      () => [0, 0, 2],
    ),
  ];
  const { normalized, excess } = extremesOf(rows, 'light');
  expect([normalized.least.get('T/0'), normalized.most.get('T/0')]).toEqual([0.5, 1]);
  expect([normalized.least.get('T/1'), normalized.most.get('T/1')]).toEqual([0, 1]);
  expect([normalized.values.has('T/1'), normalized.unjudged]).toEqual([false, 2 + 2 + 6]);
  // Of four answers to the original 2, 3 or 4 may pass: two pairs of them are then 1/3, 1/2 or 0 apart.
  expect(excess.most.get('T/0')).toBeCloseTo((6 / 9) * 0.5, 9);
  expect(excess.least.get('T/0')).toBeCloseTo((6 / 9) * -0.5, 9);
});

/** Of 60 tasks, four answers a prompt. @param sides chances to pass original and variant, share of hidden failures */
function verdictOf(next: () => number, method: Method, sides: readonly (readonly [number, number, number])[]): string {
  const counts = (chance: number, hidden: number) => (): Counts => {
    const all = Array.from({ length: 4 }, () => (next() < chance ? 0 : next() < hidden ? 2 : 1));
    return [0, 1, 2].map((kind) => all.filter((one) => one === kind).length) as unknown as Counts;
  };
  const values = sides.map(([original, variant, hidden]) => {
    const rows = Array.from({ length: 60 }, (_, task) =>
      taskRows('m', task, counts(original, hidden), counts(variant, hidden)),
    );
    return extremesOf(rows.flat(), method).normalized;
  });
  const open = openTasks(values, new Set())?.open;
  const condition = { suite: null, dimension: method, workflow: method };
  const { pairs } = compareModels(
    {
      ...{
        study: 's',
        subject: { metric: 'auc_e_normalized', benchmark: 'b', ...condition },
        variant: null,
        models: [],
      },
      ...{ taskIds: [...(values[0]?.least.keys() ?? [])], values: values.map(({ least }) => [...least.values()]) },
      ...{ samples: null, ownTasks: [60, 60], ...open },
      range: { kind: 'bounded', lo: 0, hi: 1 },
    },
    { margin: 0, alpha: 0.05, seed: 1 },
  );
  return pairs[0]?.verdict ?? '';
}

test.each(['full', 'light'] as const)(
  'simulated, %s: hiding puts no equal model ahead; a worse one is found',
  (method) => {
    const next = uniform(5);
    const found = (sides: Parameters<typeof verdictOf>[2]): string[] =>
      Array.from({ length: 60 }, () => verdictOf(next, method, sides));
    const equal = found([[0.9, 0.5, 0] as const, [0.9, 0.5, 0.8] as const]);
    expect(equal.filter((verdict) => verdict !== 'inconclusive').length).toBeLessThanOrEqual(3);
    const worse = found([[0.9, 0.5, 0] as const, [0.9, 0.85, 0] as const]);
    expect(worse.filter((verdict) => verdict === 'worse').length).toBeGreaterThan(54);
  },
);
