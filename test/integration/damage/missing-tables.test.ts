/** A run whose answers the formulas of one study do not accept: its tables fail, and all else of the run is there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { updateManifest } from '../../../activities/storage/manifest.ts';
import { starterBenchmark } from '../../../cli/starter.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { type CommandEnd, runCommand } from '../../support/command.ts';

const spec = `name: paid
models:
  - { id: steady, provider: simulated, profile: { competence: 1, driftPerLoop: 0 } }
  - { id: other, provider: simulated, profile: { competence: 1, driftPerLoop: 0 } }
benchmarks:
  b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 3 } }
studies:
  - { name: loops, kind: evaloop, benchmark: b, settings: { maxLoops: 3, judge: none } }
  - { name: plain, kind: pass, benchmark: b, settings: { ks: [1] } }
`;

let folder = '';
let run = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  run = join(folder, 'runs', 'paid');
  writeFileSync(join(folder, 'paid.yaml'), spec);
  const { status, output } = await evenkeel('run', join(folder, 'paid.yaml'));
  expect(status, output).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true }));

const evenkeel = (...args: readonly string[]): Promise<CommandEnd> =>
  runCommand([...args, '--runs-dir', join(folder, 'runs')]);

/** The answers survive three loops. With one loop in the stored spec, `sustainedCounts` refuses them: a real throw. */
const withLoops = (maxLoops: number, state: Manifest['state']): Promise<Manifest> =>
  updateManifest(folderHome(run), (manifest) => {
    const [loops, ...others] = manifest.spec.studies;
    if (loops?.kind !== 'evaloop') throw new Error('the run has loops');
    const changed = { ...loops, settings: { ...loops.settings, maxLoops } };
    return { ...manifest, state, spec: { ...manifest.spec, studies: [changed, ...others] } };
  });

const runTables = ({ parts }: Manifest): Map<string, string> =>
  new Map(parts.flatMap(({ page, table, sha256 }) => (page === 'run' ? [[table, sha256] as const] : [])));

const pageParts = ({ parts }: Manifest): Manifest['parts'] => parts.filter(({ page }) => page !== 'run');

const fault = 'sustained loops must be an integer from 0 to 1, got 3';

// Red before: the fifth attempt of `finishSweep` failed the run, and so did each `resume`.
test('is complete without them, and derives them alone once they can be computed', async () => {
  const before = await readManifest(run);
  await withLoops(1, 'running');
  const ended = await evenkeel('resume', 'paid');
  expect(ended.status, ended.output).toBe(1);
  expect(ended.output).toContain(`the run is complete, with tables missing: asl, `);
  expect(ended.output).toContain(`of study loops (${fault})`);
  expect(ended.output).toMatch(/answers and scores are safe.*\n {2}\S.* resume paid/);
  const without = await readManifest(run);
  expect(without.state).toBe('complete');
  expect(without.missingTables?.[0]).toMatchObject({ studies: ['loops'], reason: fault });
  expect(pageParts(without)).toEqual(pageParts(before));
  // Rows that the run had of them before would be outdated.
  expect([...runTables(without).keys()]).toEqual(
    expect.arrayContaining(['models', 'model_costs', 'variance_parts', 'pass_at_k', 'pass_tasks']),
  );
  const missing = without.missingTables?.flatMap(({ tables }) => tables) ?? [];
  expect(missing).toEqual(expect.arrayContaining(['asl', 'loop_survival', 'cards']));
  expect(missing.filter((table) => runTables(without).has(table))).toEqual([]);

  const verified = await evenkeel('verify', 'paid');
  expect(verified.status).toBe(1);
  expect(verified.output).toMatch(/problem: tables missing.*\basl\b.*of loops.*"evenkeel resume paid"/);
  expect(verified.output).not.toMatch(/stray|SHA-256/);
  const line = 'run paid: tables are missing, since they could not be computed: asl';
  for (const args of [
    ['report', 'paid', '--format', 'md', '--out', join(folder, 'report.md')],
    ['compare', 'paid'],
    ['query', 'paid', 'select count(*) from samples'],
  ]) {
    const { status, output } = await evenkeel(...args);
    expect(status, output).toBe(0);
    expect(output).toContain(line);
  }
  const status = await evenkeel('status', 'paid');
  expect(status.status, status.output).toBe(0);
  expect(status.output).toContain('with tables missing: asl');
  const compared = await evenkeel('compare', 'paid');
  expect(compared.output).toMatch(/study loops: not compared, since this could not be computed/);

  const still = await evenkeel('resume', 'paid');
  expect(still.status, still.output).toBe(1);
  expect(still.output).toContain('its missing tables are derived again');

  await withLoops(3, 'complete');
  const again = await evenkeel('resume', 'paid');
  expect(again.status, again.output).toBe(0);
  const whole = await readManifest(run);
  expect(whole.missingTables).toBeUndefined();
  expect(runTables(whole)).toEqual(runTables(before));
  expect(pageParts(whole)).toEqual(pageParts(before));
  const intact = await evenkeel('verify', 'paid');
  expect(intact.status, intact.output).toBe(0);
}, 300_000);
