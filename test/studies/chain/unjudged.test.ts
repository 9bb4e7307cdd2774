/** Translation chains that could not be judged to their end: no model is ahead of another because of them. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { unjudgedText } from '../../../domain/gate/unjudged-text.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { cardsOf } from '../../../studies/cards.ts';
import { compareOver } from '../../../studies/compare.ts';
import { gateOver } from '../../../studies/gate.ts';
import { writeRun } from '../../analysis/run-fixture.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const models = ['old', 'hidden', 'worse'];
const tasks = Array.from({ length: 20 }, (_, task) => `T/${task}`);
const spec = parseSpec(
  `
name: r
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: s, kind: evaloop-translation, benchmark: b, settings: { through: [java, python] } }]
`,
  'r.yaml',
);

/** Where `worse` fails its first step, `hidden` could not be judged; `old` passes both steps of half of these. */
function chainOf(model: string, task: number): Row {
  const whole = { sustained_steps: 2, passed_steps: 2, ended_by: 'survived' };
  const broken = { sustained_steps: 0, passed_steps: 0, ended_by: 'code_failed' };
  if (task < 8) return whole;
  if (model === 'old') return task % 2 === 0 ? whole : broken;
  return model === 'worse' ? broken : { ...broken, ended_by: 'excluded' };
}

/** Of the first step: what else a study needs to have answers. */
const verdictOf = ({ steps: _steps, ended_by: _by, sustained_steps: _own, passed_steps: _all, ...cell }: Row): Row => ({
  ...cell,
  ...{ loop: 1, step: 'translate', sample: 0, suite: 'base', outcome: 'pass' },
});

async function withRun<T>(
  ask: (database: Awaited<ReturnType<typeof openRun>>) => Promise<T>,
  state: 'running' | 'complete' = 'running',
): Promise<T> {
  const folder = temporaryFolder();
  const cells = models.flatMap((model) =>
    tasks.map((task_id, task) => ({
      ...{ run: 'r', study: 's', model, benchmark: 'b', task_id, language: 'python', variant: 'original' },
      ...{ setting: 'default', repetition: 0, steps: 2, simulated: false, ...chainOf(model, task) },
    })),
  );
  const known = tasks.map((task_id) => ({ run: 'r', benchmark: 'b', task_id, record_sha256: 'a' }));
  await writeRun(
    join(folder, 'r'),
    [
      { table: 'chains', page: 's/m/r1p0', rows: cells },
      { table: 'verdicts', page: 's/m/r1p0', rows: cells.map(verdictOf) },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run: 'r', model, simulated: false })) },
      { table: 'tasks', page: 'run', rows: known },
    ],
    { runId: 'r', spec, state },
  );
  const database = await openRun(join(folder, 'r'));
  try {
    return await ask(database);
  } finally {
    database.close();
    await rm(folder, { recursive: true });
  }
}

// Red before: its unjudged chains were left out, so that `hidden` had a score of 2, was ahead, and passed the gate.
test('a card and `compare` allow for all that they may be', async () => {
  const { cards, compared } = await withRun(async (database) => ({
    cards: (await cardsOf(database)).cards.filter(({ metric }) => metric === 'chain_score'),
    compared: await compareOver(database, { byVariant: false, margin: 0, alpha: 0.05, metric: 'chain_score' }),
  }));
  const hidden = cards.find((row) => row['model'] === 'hidden');
  expect(hidden).toMatchObject({ estimate: 2, n_worse: 0, n_tasks: 8, n_shared_tasks: 20 });
  // With all of them broken it scores 16 / 20, with all passed 2.
  expect(Number(hidden?.['estimate_lo'])).toBeLessThanOrEqual(0.8);
  const [comparison] = compared.comparisons;
  expect(comparison?.unjudged).toEqual([0, 12, 0]);
  expect(comparison?.pairs.map(({ verdict }) => verdict)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
});

test('a gate neither passes nor fails by them, and fails a truly worse model', async () => {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'chain_score', margin: 0.1 }] });
  const outcomeOf = (now: string) =>
    withRun(async (database) => (await gateOver(database, { run: 'r', old: 'old', now }, policy)).outcome);
  expect(await outcomeOf('hidden')).toBe('inconclusive');
  expect(await outcomeOf('worse')).toBe('failed');
});

// Red before: `unjudged: fail` failed a version for tasks that its run had not asked yet.
test('`unjudged: fail` is of what a complete run could not judge', async () => {
  const policy = gatePolicySchema.parse({ unjudged: 'fail', rules: [{ metric: 'chain_score', margin: 0.1 }] });
  const gateIn = (state: 'running' | 'complete') =>
    withRun((database) => gateOver(database, { run: 'r', old: 'old', now: 'hidden' }, policy), state);
  const [running, complete] = [await gateIn('running'), await gateIn('complete')];
  expect([running.outcome, complete.outcome]).toEqual(['inconclusive', 'failed']);
  const textOf = ({ comparisons }: typeof running) => comparisons[0]?.result.rules[0]?.checks.map(unjudgedText).join();
  expect(textOf(running)).toContain('could not be judged, or are not there yet');
  expect(textOf(complete)).not.toContain('not there yet');
});
