/**
 * Runs what `init` writes unchanged: each spec on the first tasks of the benchmark next to it, in the sandbox that
 * every machine has.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandEnd, runCommand } from '../support/command.ts';
import { inFull, long } from '../support/forms/long.ts';

let folder = '';
const evenkeel = (...args: readonly string[]): Promise<CommandEnd> =>
  runCommand(args, { ...process.env, EVENKEEL_RUNS: join(folder, 'runs') });
const fine = async (...args: readonly string[]): Promise<string> => {
  const { status, stdout, output } = await evenkeel(...args);
  expect(status, output).toBe(0);
  return stdout;
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-init-'));
  await fine('init', join(folder, 'study'));
  const starter = join(folder, 'study/starter.jsonl');
  writeFileSync(starter, readFileSync(starter, 'utf8').split('\n').slice(0, 3).join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Cells of each model on three tasks, counted by hand. README.md's commands run evaloop.yaml. */
const cells: Readonly<Record<string, readonly number[]>> = {
  // Each task in 3 draws of the original and 4 variants at each of 3 distances.
  'promptse.yaml': Array<number>(3).fill(3 * (3 + 12)),
  // Two versions, 3 plain answers and 3 phrasings of each task; then one, 2 plain answers and 2 phrasings
  // in each of two workflows.
  'robunfr.yaml': [3 * (3 + 3), 3 * (3 + 3), 3 * (2 + 2 + 2)],
  // Three prompts, 4 summaries, 4 ratios of 2 draws each in two ways.
  'specificity.yaml': Array<number>(2).fill(3 * (3 + 4 + 8 + 8)),
  // Two temperatures, two repetitions.
  'pass.yaml': Array<number>(2).fill(3 * (2 * 2)),
};

interface Status {
  readonly state: string;
  readonly progress: { readonly lanes: readonly { readonly cells: number; readonly cellsDone: number }[] };
}

/** Those of which another test runs the same kind of study, and no test here needs the run. */
const elsewhere = ['pass.yaml', 'promptse.yaml', 'specificity.yaml'];

describe.each(Object.entries(cells))('%s', (name, wanted) => {
  const { run, note } = elsewhere.includes(name) ? { run: long, note: inFull } : { run: test, note: '' };
  run(`runs, with the counted cells${note}`, () => runsWith(name, wanted));
});

async function runsWith(name: string, wanted: readonly number[]): Promise<void> {
  const { run } = JSON.parse(await fine('run', join(folder, 'study', name), '--json')) as { run: string };
  const { state, progress } = JSON.parse(await fine('status', run, '--json')) as Status;
  expect(state).toBe('complete');
  const lanes = progress.lanes.filter((lane) => lane.cells > 0);
  expect(lanes.map((lane) => lane.cells)).toEqual(wanted);
  expect(lanes.map((lane) => lane.cellsDone)).toEqual(wanted);
}

test('the RobuNFR spec measures pass rates only, its report says so, and its two versions can be gated', async () => {
  const run = 'my-first-requirements';
  const file = join(folder, 'report.md');
  await fine('report', run, '--format', 'md', '--out', file);
  const markdown = readFileSync(file, 'utf8');
  expect(markdown).toContain('Study ways: requirements');
  expect(markdown).toContain('old-sim to new-sim');
  expect(markdown).toMatch(
    /the embedded sandbox has pass only; quality and time need bubblewrap or a container engine/,
  );
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, 'rules: [{ metric: pass_at_1, margin: 100 }]\n');
  // Nothing can lose more than 100 points.
  expect(await fine('gate', run, '--policy', policy)).toMatch(/passed/);
  writeFileSync(policy, 'rules: [{ metric: pass_at_1 }, { metric: wall_ms }]\n');
  const { status, output } = await evenkeel('gate', run, '--policy', policy);
  expect([4, 5], output).toContain(status);
});
