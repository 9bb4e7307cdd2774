/** A model that passes nothing loses nothing by less detail: no finding, no lead, no passed gate. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import { adviceOf } from '../../../../domain/gate/advice.ts';
import { gatePolicySchema } from '../../../../domain/gate/policy.ts';
import { parseSpec } from '../../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { cardsOf } from '../../../../studies/cards.ts';
import { compareOver } from '../../../../studies/compare.ts';
import { gateOver } from '../../../../studies/gate.ts';
import { knownCurve, leastDetail, whyNoDetail } from '../../../../studies/specificity/results/more-detail.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

/** `needy` passes with the maximal prompt only, `wrong` with none. */
const passes = {
  needy: (augmentation: string) => augmentation === 'maximal',
  right: () => true,
  wrong: () => false,
} as const;
const models = Object.keys(passes) as (keyof typeof passes)[];
const spec = parseSpec(
  `
name: r
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: detail, kind: specificity, benchmark: b }]
`,
  'r.yaml',
);
const levels = [
  ['minimal', null],
  ['summary', 50],
  ['maximal', null],
] as const;
const tasks = 200;

const passRow = (model: keyof typeof passes, task: number, [augmentation, level]: (typeof levels)[number]): Row => ({
  ...{ run: 'r', study: 'detail', model, benchmark: 'b', task_id: `T/${task}`, language: 'python', repetition: 0 },
  ...{ variant: `${augmentation}-${level}`, setting: 'default', simulated: false, pragma_missing: null, draw: null },
  ...{ augmentation, level, words: 10, passed: passes[model](augmentation), reason: null },
});

let folder = '';
let database: RunDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-wrong-'));
  const rows = models.flatMap((model) =>
    Array.from({ length: tasks }, (_, task) => levels.map((level) => passRow(model, task, level))).flat(),
  );
  const verdicts = rows
    .filter(({ augmentation }) => augmentation === 'minimal')
    .map((row) => ({ ...row, loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' }));
  await writeRun(
    folder,
    [
      { table: 'prompt_passes', page: 'detail/m/r1p0000', rows },
      { table: 'verdicts', page: 'detail/m/r1p0001', rows: verdicts },
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

const why = 'is not shown to pass more than 2 % of the tasks with the maximal prompt, so any level would suffice';

// Red before: `wrong` needed no detail (0), and was better than `needy`.
test('compare leaves it out by name', async () => {
  const request = { byVariant: false, margin: 0, alpha: 0.05, metric: 'sufficient_detail' } as const;
  const { comparisons, notes } = await compareOver(database, request);
  expect(comparisons.map((one) => one.models.map(({ name }) => name))).toEqual([['needy', 'right']]);
  expect(comparisons[0]?.standings.map(({ model, value }) => [model, value])).toEqual([
    [1, 0],
    [0, 2],
  ]);
  expect(notes).toContain(`study detail, sufficient_detail: wrong ${why}: left out`);
});

// Red before: "needs none of the detail", ahead of `needy`.
test('its card says why nothing is known', async () => {
  const { cards } = await cardsOf(database);
  const own = cards.filter(({ metric }) => metric === 'sufficient_detail');
  expect(own.map((row) => [row['model'], row['estimate'], row['reason']])).toEqual([
    ['needy', 2, null],
    ['right', 0, null],
    ['wrong', null, why],
  ]);
});

// Red before: both passed.
test.each([['right', 'wrong', 'new'] as const, ['wrong', 'right', 'old'] as const])(
  'a gate between %s and %s decides nothing',
  async (old, now, version) => {
    const policy = gatePolicySchema.parse({ rules: [{ metric: 'sufficient_detail', margin: 1 }] });
    const report = await gateOver(database, { run: 'r', old, now }, policy);
    expect(report.outcome).toBe('inconclusive');
    const [check] = report.comparisons.flatMap(({ result }) => result.rules.flatMap(({ checks }) => checks));
    expect(check && adviceOf(check)).toBe(`the ${version} version ${why}`);
  },
);

// Gaffke's lower bound of a mean with one success in n is below 1 / n.
test('a few passes among many tasks tell as little, many passes of few tasks tell', () => {
  const curveOf = (passed: number, n: number) => {
    const scores = Array.from({ length: n }, (_, task) => (task < passed ? 1 : 0));
    return knownCurve([scores, scores]);
  };
  expect(whyNoDetail(curveOf(2, 200), 0.02)).toBe(why);
  expect(leastDetail(curveOf(2, 200), 0.02, 0.95)).toBe(null);
  expect(whyNoDetail(curveOf(3, 3), 0.02)).toBe(null);
  expect(leastDetail(curveOf(3, 3), 0.02, 0.95)).toMatchObject({ value: 0 });
});
