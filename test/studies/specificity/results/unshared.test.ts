/** Models of PartialOrderEval whose judged answers are to tasks that another model lacks, or not at all levels. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import { gatePolicySchema } from '../../../../domain/gate/policy.ts';
import { parseSpec } from '../../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { compareOver } from '../../../../studies/compare.ts';
import { gateOver } from '../../../../studies/gate.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

const models = ['elsewhere', 'holed', 'never', 'right', 'short'];
const spec = parseSpec(
  `
name: r
seed: 7
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: detail, kind: specificity, benchmark: b }]
`,
  'r.yaml',
);
const levels = ['minimal', 'summary', 'maximal'] as const;

/**
 * Of 20 tasks `short` has answered the first ten only; undefined: not answered, null: could not be judged. Of the first
 * ten nothing of `elsewhere` and `never` could be judged, and only the summary of `holed`; of the others, all but of
 * `never` and `holed`.
 */
function passedBy(model: string, task: number, level: string): boolean | null | undefined {
  if (model === 'short') return task < 10 ? true : undefined;
  if (model === 'never' || (model === 'elsewhere' && task < 10)) return null;
  return model === 'holed' && level !== 'summary' ? null : true;
}

const rowOf = (model: string, task: number, augmentation: string, passed: boolean | null): Row => ({
  ...{ run: 'r', study: 'detail', model, benchmark: 'b', task_id: `T/${task}`, language: 'python', repetition: 0 },
  ...{ variant: augmentation, setting: 'default', simulated: false, pragma_missing: null },
  ...{ augmentation, level: augmentation === 'summary' ? 50 : null, draw: null, words: 10, passed },
  reason: passed === null ? 'missing_dependency' : null,
});

let folder = '';
let database: RunDatabase;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-detail-'));
  const rows = models.flatMap((model) =>
    Array.from({ length: 20 }, (_, task) => task).flatMap((task) =>
      levels.flatMap((level) => {
        const passed = passedBy(model, task, level);
        return passed === undefined ? [] : [rowOf(model, task, level, passed)];
      }),
    ),
  );
  // Only that there are answers matters.
  const verdicts = rows
    .filter(({ variant }) => variant === 'minimal')
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

// Red before: "no answer of elsewhere, holed and never could be judged".
test('compare says of each why it has no least sufficient detail', async () => {
  const request = { byVariant: false, margin: 0, alpha: 0.05, metric: 'sufficient_detail' } as const;
  const { comparisons, notes } = await compareOver(database, request);
  expect(comparisons.map((one) => one.models.map(({ name }) => name))).toEqual([['right', 'short']]);
  expect(notes.filter((note) => note.includes('sufficient_detail'))).toEqual(
    [
      'elsewhere has no value on the shared tasks',
      'holed has no task with a score at every level',
      'no answer of never could be judged',
    ].map((text) => `study detail, sufficient_detail: ${text}: left out`),
  );
});

// Red before: "has no task with a score at every level", of a version with ten such tasks.
test('a gate says so too', async () => {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'sufficient_detail', margin: 1 }] });
  const report = await gateOver(database, { run: 'r', old: 'short', now: 'elsewhere' }, policy);
  expect(JSON.stringify(report)).toContain('the new version has no value on the shared tasks');
});
