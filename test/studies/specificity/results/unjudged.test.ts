/** Answers of PartialOrderEval that could not be judged: no other model's figures and no lead come from them. */
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
import { unjudgedNotes } from '../../../../studies/across/unjudged-notes.ts';
import { compareOver } from '../../../../studies/compare.ts';
import { gateOver } from '../../../../studies/gate.ts';
import { knownCurve, leastDetail } from '../../../../studies/specificity/results/more-detail.ts';
import { levelScores } from '../../../../studies/specificity/results/scores.ts';
import { resultsOfKind } from '../../../../studies/results.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

const models = ['half', 'hiding', 'never', 'right'];
const spec = parseSpec(
  `
name: r
seed: 7
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: detail, kind: specificity, benchmark: b, settings: { draws: 2 } }]
`,
  'r.yaml',
);
const taskIds = Array.from({ length: 30 }, (_, task) => `T/${task}`);

/** Null: it could not be judged. */
type Passed = boolean | null;

const passRow = (
  model: string,
  task: number,
  [augmentation = null, level = null, draw = null]: readonly (string | number | null)[],
  passed: Passed,
): Row => ({
  ...{ run: 'r', study: 'detail', model, benchmark: 'b', task_id: `T/${task}`, language: 'python', repetition: 0 },
  ...{ variant: `${augmentation}-${level}-${draw}`, setting: 'default', simulated: false, pragma_missing: null },
  ...{ augmentation, level, draw, words: 10, passed, reason: passed === null ? 'missing_dependency' : null },
});

/**
 * With less than the maximal prompt `half` and `hiding` pass the first 15 tasks only, and what the latter fails cannot
 * be judged; of two draws of paragraphs they pass the first. Nothing of `never` can be judged.
 */
function passedBy(model: string, task: number, augmentation: string, draw: number | null): Passed {
  if (model === 'never') return null;
  const passes = model === 'right' || augmentation === 'maximal' || (draw === null ? task < 15 : draw === 1);
  return model === 'hiding' && !passes ? null : passes;
}

const positions = [
  ['minimal', null, null],
  ['summary', 50, null],
  ['paragraphs', 0.4, 1],
  ['paragraphs', 0.4, 2],
  ['maximal', null, null],
] as const;

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-detail-'));
  const rows = models.flatMap((model) =>
    taskIds.flatMap((_, task) =>
      positions.map((place) => passRow(model, task, place, passedBy(model, task, place[0], place[2]))),
    ),
  );
  // Only that there are answers matters.
  const verdicts = rows
    .filter(({ variant }) => variant === 'minimal-null-null')
    .map((row) => ({
      ...{ ...row, variant: 'minimal', loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' },
    }));
  const found = models.map((model) => ({ run: 'r', model, simulated: false }));
  await writeRun(
    folder,
    [
      { table: 'prompt_passes', page: 'detail/m/r1p0000', rows },
      { table: 'verdicts', page: 'detail/m/r1p0001', rows: verdicts },
      { table: 'models', page: 'run', rows: found },
    ],
    { runId: 'r', spec },
  );
  database = await openRun(folder);
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

const request = { byVariant: false, margin: 0, alpha: 0.05 } as const;

// Red before: with `never` nothing was compared, and without it all three passed 100 % of the 15 tasks that were left.
test('tasks that one model lacks stay for the others, and no model is ahead because of them', async () => {
  const { comparisons, notes } = await compareOver(database, { ...request, metric: 'pass_at_detail' });
  const of = (condition: string) => comparisons.find(({ subject }) => subject.dimension === condition);
  const minimal = of('minimal');
  expect(minimal?.taskIds).toHaveLength(30);
  expect(minimal?.models.map(({ name }) => name)).toEqual(['half', 'hiding', 'right']);
  const means = minimal?.standings.toSorted((a, b) => a.model - b.model).map(({ value }) => value);
  expect(means).toEqual([50, 100, 100]);
  expect(minimal?.pairs.map(({ verdict, p }) => [verdict, p])).toEqual([
    ['inconclusive', 1],
    // 15 of 15 tasks: 2 / 2^15.
    ['worse', expect.closeTo(2 ** -14, 12)],
    ['inconclusive', 1],
  ]);
  expect(minimal?.unjudged).toEqual([0, 15, 0]);
  // One of two draws: half of each task, or all of it.
  const drawn = of('paragraphs 0.4');
  expect(drawn?.judged?.map(([first]) => first)).toEqual([50, 100, 100]);
  expect([drawn?.extremes?.least[1]?.[0], drawn?.extremes?.most[1]?.[0]]).toEqual([50, 100]);
  expect(notes).toContain('study detail, pass_at_detail: no answer of never could be judged: left out');
});

// Red before: 50 points apart, since the second prompt counted for the model of which it was judged.
test('prompts of a level are compared one by one: on the one that was judged of both, they are equal', async () => {
  const { comparisons } = await compareOver(database, { ...request, metric: 'pass_at_detail' });
  const drawn = comparisons.find(({ subject }) => subject.dimension === 'paragraphs 0.4');
  expect(drawn?.byPrompt?.map(([first]) => first)).toEqual([
    [100, 0],
    [100, null],
    [100, 100],
  ]);
  const pair = drawn?.pairs.find(({ first, second }) => first === 0 && second === 1);
  expect(pair?.difference).toBe(0);
  const policy = gatePolicySchema.parse({
    rules: [{ metric: 'pass_at_detail', dimension: 'paragraphs 0.4', margin: 60 }],
  });
  const gate = await gateOver(database, { run: 'r', old: 'half', now: 'hiding' }, policy);
  const checks = gate.comparisons.flatMap(({ result }) => result.rules.flatMap((rule) => rule.checks));
  expect(checks.map(({ old, now, tasks }) => [old, now, tasks?.n, tasks?.gained])).toEqual([[100, 100, 30, 0]]);
});

// Red before: passed, on the 15 tasks where the new version was judged.
test('a gate does not pass a version whose failures cannot be judged', async () => {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'pass_at_detail', dimension: 'minimal', margin: 20 }] });
  const outcome = async (old: string, now: string): Promise<string> =>
    (await gateOver(database, { run: 'r', old, now }, policy)).outcome;
  expect(await outcome('right', 'hiding')).toBe('inconclusive');
  expect(await outcome('right', 'half')).toBe('failed');
  expect(await outcome('half', 'right')).toBe('passed');
});

// Red before: `half` needed no detail on the 15 tasks that were judged of `hiding`.
test('the least sufficient detail is of a model’s own tasks, with bounds that the hidden answers allow', async () => {
  const { comparisons, notes } = await compareOver(database, { ...request, metric: 'sufficient_detail' });
  const summary = comparisons.find(({ subject }) => subject.dimension === 'summary');
  const byModel = summary?.standings.toSorted((a, b) => a.model - b.model);
  expect(byModel?.map(({ value }) => value)).toEqual([2, 0, 0]);
  expect(byModel?.[1]?.interval).toEqual({ lo: 0, hi: 2 });
  expect(summary?.unjudged).toEqual([0, 30, 0]);
  expect(notes).toContain('study detail, sufficient_detail: no answer of never could be judged: left out');
  const { cards } = await cardsOf(database);
  const own = cards.filter(({ metric }) => metric === 'sufficient_detail');
  expect(own.map((row) => [row['model'], row['estimate'], row['n_tasks']])).toEqual([
    ['half', 2, 30],
    ['hiding', 0, 15],
    ['never', null, 0],
    ['right', 0, 30],
  ]);
});

// Red before: 60 tasks without a gap show that the minimal prompt suffices, which 40 failures of 100 would refute.
test('a level is only shown to suffice if it does with the hidden answers failed', () => {
  const ones = Array.from({ length: 100 }, () => 1);
  const judged = [ones.slice(40), ones.slice(40)];
  const least = [ones.map((one, task) => (task < 40 ? 0 : one)), ones];
  expect(leastDetail(knownCurve(judged), 0.2, 0.95)).toEqual({ value: 0, lo: 0, hi: 0 });
  expect(leastDetail({ judged, least, most: [ones, ones] }, 0.2, 0.95)).toEqual({ value: 0, lo: 0, hi: 1 });
  // With half of the maximal prompts hidden that level may be all that suffices, or less.
  const hidden = [ones.map((_, task) => (task < 50 ? 0 : 1)), ones];
  expect(leastDetail({ judged: hidden, least: [hidden[0] ?? [], hidden[0] ?? []], most: hidden }, 0.2, 0.95)).toEqual({
    ...{ value: 1, lo: 0, hi: 1 },
  });
});

// Red before: cards that an older program stored were shown as they were.
test('stored cards of such a run are computed again', async () => {
  const [manifest] = database.manifests;
  expect(manifest && (await resultsOfKind('specificity').mayHaveEarlierCards?.(database, manifest))).toBe(true);
});

test('many conditions with numbers of their own have one note', () => {
  const named = ['a', 'b'].map((name) => ({ name, run: 'r', model: name, simulated: false }));
  const comparisons = [0, 3, 5, 7, 9, 11].map((count) => ({
    ...{ study: 'detail', models: named, unjudged: [count, 0] },
    subject: { metric: 'pass_at_detail', benchmark: 'b', suite: null, ...condition(count) } as const,
  }));
  expect(unjudgedNotes(comparisons)).toEqual([
    'study detail: answers that could not be judged are in no mean (a 0 to 11 by condition); a model is only called ' +
      'better if it is with its own at their worst and the other’s at their best, and intervals have all ' +
      'that they allow',
  ]);
});

const condition = (level: number) => ({ dimension: `summary ${level}`, workflow: `summary ${level}` });

/** Of 60 tasks; the chance of each model to pass, and the share of its failures that cannot be judged. */
function verdictOf(next: () => number, sides: readonly (readonly [chance: number, hidden: number])[]): string {
  const levels = sides.flatMap(([chance, hidden]) => {
    const passed = (): Passed => {
      if (next() < chance) return true;
      return next() < hidden ? null : false;
    };
    return levelScores(Array.from({ length: 60 }, (_, task) => passRow('m', task, ['minimal', null, null], passed())));
  });
  const values = levels.map(({ scores, least, most, nUnjudged }) => ({
    values: scores,
    least,
    most,
    unjudged: nUnjudged,
  }));
  const open = openTasks(values, new Set())?.open;
  const taskIds = [...(levels[0]?.least.keys() ?? [])];
  const plain = levels.map(({ least }) => [...least.values()]);
  const { pairs } = compareModels(
    {
      ...{ study: 's', subject: { metric: 'pass_at_detail', benchmark: 'b', suite: null, ...condition(0) } },
      ...{ variant: null, models: [], taskIds, values: plain, samples: null, ownTasks: [60, 60] },
      ...open,
      range: { kind: 'bounded', lo: 0, hi: 1 },
    },
    { margin: 0, alpha: 0.05, seed: 1 },
  );
  return pairs[0]?.verdict ?? '';
}

test('simulated: hidden failures put no equal model ahead, and a worse one with nothing hidden is found', () => {
  const next = uniform(11);
  const shareOf = (verdict: string, sides: Parameters<typeof verdictOf>[1]): number =>
    Array.from({ length: 200 }, () => verdictOf(next, sides)).filter((one) => one === verdict).length / 200;
  const equal = [[0.5, 0] as const, [0.5, 0.8] as const];
  expect(shareOf('worse', equal) + shareOf('better', equal)).toBeLessThanOrEqual(0.05);
  // 0.5 against 0.85 of 60 tasks.
  expect(shareOf('worse', [[0.5, 0] as const, [0.85, 0] as const])).toBeGreaterThan(0.9);
});
