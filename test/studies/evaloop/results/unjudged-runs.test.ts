/** EVALOOP runs with and without a judge: ASL is compared between the models that were judged. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../../analysis/database.ts';
import { gatePolicySchema } from '../../../../domain/gate/policy.ts';
import { parseSpec } from '../../../../domain/spec/parse-spec.ts';
import { cardsOf } from '../../../../studies/cards.ts';
import { compareOver, type CompareReport } from '../../../../studies/compare.ts';
import { gateOver } from '../../../../studies/gate.ts';
import { writeRun } from '../../../analysis/run-fixture.ts';

const tasks = Array.from({ length: 10 }, (_, index) => `MBPP/${index}`);
const models = ['weak', 'strong'];
const judges = { silent: 'none', heard: 'sim', again: 'sim', other: 'else', rescored: 'none' };
type Run = keyof typeof judges;

const survived = { sustained_loops: 3, ended_by: 'survived' };
const unasked = { sustained_loops: 1, ended_by: 'not_asked' };
const failed = { sustained_loops: 0, ended_by: 'code_failed' };

let folder = '';

/**
 * Weak sustains no loop and strong all, which no judge need score; so a run without a judge seems to have ASL. In the
 * rescored run weak sustains the first loop, and was never asked for the next.
 */
async function write(run: Run): Promise<void> {
  const specText = `
name: ${run}
models: [${[...models, 'sim', 'else'].map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - name: loops
    kind: evaloop
    benchmark: mbpp
    models: [${models.join(', ')}]
    settings: { maxLoops: 3, judge: ${judges[run]} }
`;
  const cells = models.flatMap((model) =>
    tasks.map((task_id) => ({
      ...{ run, study: 'loops', model, benchmark: 'mbpp', task_id, language: 'python', variant: 'original' },
      ...{ setting: 'default', repetition: 0, simulated: false },
    })),
  );
  const page = 'loops/m/r1p0000';
  await writeRun(
    join(folder, run),
    [
      {
        ...({ table: 'loops', page } as const),
        rows: cells.map((cell) => ({
          ...{ ...cell, similarity: null },
          ...(cell.model === 'strong' ? survived : run === 'rescored' ? unasked : failed),
        })),
      },
      {
        ...({ table: 'verdicts', page } as const),
        rows: cells.map((cell) => ({ ...cell, loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: 'pass' })),
      },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run, model, simulated: false })) },
      {
        ...({ table: 'tasks', page: 'run' } as const),
        rows: tasks.map((task_id) => ({ run, benchmark: 'mbpp', task_id, record_sha256: 'a' })),
      },
    ],
    { runId: run, spec: parseSpec(specText, `${run}.yaml`) },
  );
}

async function withRuns<T>(runs: readonly Run[], ask: (database: RunDatabase) => Promise<T>): Promise<T> {
  const database = await openRun(runs.map((run) => join(folder, run)));
  try {
    return await ask(database);
  } finally {
    database.close();
  }
}

const compared = (...runs: readonly Run[]): Promise<CompareReport> =>
  withRuns(runs, (database) => compareOver(database, { byVariant: false, margin: 0, alpha: 0.05, metric: 'asl' }));

/** Names and values, in the order of the runs. */
const shown = ({ comparisons }: CompareReport) =>
  comparisons.map((one) => [
    one.models.map(({ name }) => name),
    one.standings.toSorted((a, b) => a.model - b.model).map(({ value }) => value),
  ]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-unjudged-runs-'));
  for (const run of Object.keys(judges) as Run[]) await write(run);
});
afterAll(async () => rm(folder, { recursive: true }));

const leftOut = 'study loops, asl: weak (silent), strong (silent) have no value of any task: left out';

// Red before: "nothing to compare: no study has two models that share a task with asl", which is false.
test.each([{ runs: ['silent', 'heard'] }, { runs: ['heard', 'silent'] }] as const)(
  '$runs: the models of the judged run are compared, those of the other left out',
  async ({ runs }) => {
    const report = await compared(...runs);
    // i^2 s / M: 9 / 3 of all loops.
    expect(shown(report)).toEqual([
      [
        ['weak (heard)', 'strong (heard)'],
        [0, 3],
      ],
    ]);
    expect(report.notes).toContain(leftOut);
  },
);

test('two runs with the same judge are compared, a third without one is left out', async () => {
  const report = await compared('heard', 'silent', 'again');
  expect(shown(report)).toEqual([
    [
      ['weak (heard)', 'strong (heard)', 'weak (again)', 'strong (again)'],
      [0, 3, 0, 3],
    ],
  ]);
  expect(report.notes).toContain(leftOut);
});

// Red before with the third run: no word of the judges.
test.each([{ runs: ['heard', 'other'] }, { runs: ['silent', 'heard', 'other'] }] as const)(
  '$runs: values by different judges are not compared, and a note says so',
  async ({ runs }) => {
    await expect(compared(...runs)).rejects.toThrow(
      'study loops: asl left out, because the value depends on settings that differ (judge sim in run heard; judge ' +
        'else in run other)',
    );
  },
);

test('a gate between a judged run and another has no ASL, as before', async () => {
  const policy = gatePolicySchema.parse({ rules: [{ metric: 'asl_unweighted', margin: 1 }] });
  const report = await withRuns(['silent', 'heard'], (database) =>
    gateOver(database, { run: 'heard', against: 'silent' }, policy),
  );
  expect(report.comparisons[0]?.result.subjects.map(({ metric }) => metric)).not.toContain('asl');
});

// Red before: strong was better than weak, by 2.67 with p 0.002, and a gate failed; weak may have sustained all loops.
test('loops that a rescored run never asked put no model behind, and fail no version', async () => {
  await withRuns(['rescored'], async (database) => {
    const request = { byVariant: false, margin: 0, alpha: 0.05, metric: 'asl_unweighted' } as const;
    const { comparisons, notes } = await compareOver(database, request);
    expect(comparisons[0]?.pairs.map(({ verdict, p }) => [verdict, p])).toEqual([['inconclusive', 1]]);
    const intervals = comparisons[0]?.standings.toSorted((a, b) => a.model - b.model).map(({ interval }) => interval);
    expect(intervals?.[0]?.hi).toBe(3);
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^study loops: answers that could not be judged are in no mean, and what was never asked counts .* \(weak 10\)/,
      ),
    );
    const policy = gatePolicySchema.parse({ rules: [{ metric: 'asl_unweighted', margin: 0.1 }] });
    const of = async (old: string, now: string) =>
      (await gateOver(database, { run: 'rescored', old, now }, policy)).outcome;
    expect([await of('strong', 'weak'), await of('weak', 'strong')]).toEqual(['inconclusive', 'inconclusive']);
    const { cards } = await cardsOf(database);
    const weak = cards.find(({ model, metric }) => model === 'weak' && String(metric).startsWith('asl'));
    expect([weak?.['estimate'], weak?.['estimate_hi']]).toEqual([expect.closeTo(1 / 3, 12), 3]);
  });
});
