/**
 * Complete runs of earlier programs, whose stored light floors were too high where answers were few, and which stored
 * no floor and no excess of a model with a task that has none.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import { parseSpec } from '../../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { currentPromptseTables } from '../../../../studies/promptse/results/tables.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

const spec = parseSpec(
  `
name: words
models: [{ id: m, provider: simulated }]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: words, kind: promptse, benchmark: mbpp, settings: { samples: 1, variants: 1 } }]
`,
  'words.yaml',
);

const key = (run: string): Row => ({
  ...{ run, study: 'words', model: 'm', benchmark: 'mbpp', language: 'python', setting: 'default', simulated: false },
});

const score = (run: string, variant: string, repetition: number, passed: number): Row => ({
  ...{ ...key(run), task_id: 'MBPP/1', variant, repetition, pass_rate: passed, soft_exec: null },
  ...{ distance: variant === 'original' ? null : Number(variant.slice(1)), n_samples: 1, n_passed: passed },
  ...{ n_excluded: 0, n_without_logprobs: 1, light_samples: 1, light_passed: passed },
});

/** Two of three answers to the original passed, the first one too, and none to the variants. */
const scores = (run: string): Row[] => [
  ...[1, 1, 0].map((passed, repetition) => score(run, 'original', repetition, passed)),
  ...['d0.1', 'd0.2', 'd0.3'].map((variant) => score(run, variant, 0, 0)),
];

const stored = (run: string): Row[] =>
  [0.1, 0.2, 0.3].map((distance) => ({
    ...{ ...key(run), task_id: 'MBPP/1', distance, method: 'light', elasticity: 0, floor: 0.5, excess: -0.5 },
    ...{ floor_samples: 1, n_variants: 1, n_excluded: 0 },
  }));

const area: Row = { auc_e_floor: 1 / 3, auc_e_excess: -1 / 3, n_floor: 1 };

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-floors-'));
  for (const run of ['earlier', 'current', 'lacking'])
    await writeRun(
      join(folder, run),
      [
        { table: 'prompt_scores', page: 'words/m/r1p0000', rows: scores(run) },
        { table: 'models', page: 'run', rows: [{ run, model: 'm', simulated: false }] },
        {
          ...{ table: 'elasticity', page: 'run', rows: stored(run) },
          ...(run === 'earlier' ? { without: ['floor_samples'] } : {}),
        },
        {
          table: 'auc_e',
          page: 'run',
          rows: [{ ...key(run), method: 'light', n: 1, ...(run === 'lacking' ? {} : area) }],
          ...(run === 'current' ? {} : { without: ['n_floor'] }),
        },
      ],
      { runId: run, spec, state: 'complete' },
    );
  database = await openRun(['earlier', 'current', 'lacking'].map((run) => join(folder, run)));
});
afterAll(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

test('floors that say with how many answers they were made are read; others are computed', async () => {
  const { auc_e, elasticity } = await currentPromptseTables(database);
  const excess = (run: string): unknown =>
    auc_e.find((row) => row['run'] === run && row['method'] === 'light')?.['auc_e_excess'];
  expect(excess('current')).toBeCloseTo(-1 / 3, 12);
  // One answer differs from one of the two others in 2 of 3 cases, and from the variant's always.
  expect(excess('earlier')).toBeCloseTo((2 / 3) * (2 / 3 - 1), 12);
  expect(excess('lacking')).toBeCloseTo((2 / 3) * (2 / 3 - 1), 12);
  expect(elasticity.filter((row) => row['run'] === 'earlier' && row['method'] === 'light')).toHaveLength(3);
});
