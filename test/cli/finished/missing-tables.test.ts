/** A paid run whose loops a study's formulas do not accept: its tables fail, and all else of the run is finished. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { updateManifest } from '../../../activities/storage/manifest.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { runCommand } from '../../support/command.ts';
import { smallRun } from '../../support/small-run.ts';

let folder = '';
let run = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  run = await smallRun(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const evenkeel = (...args: readonly string[]) => runCommand([...args, '--runs-dir', join(folder, 'runs')]);

/** The run has answers of three loops. With fewer in its spec, a formula refuses them: a real throw. */
const withLoops = (maxLoops: number, state: Manifest['state']) =>
  updateManifest(folderHome(run), (manifest) => {
    const [study] = manifest.spec.studies;
    if (study?.kind !== 'evaloop') throw new Error('the run has loops');
    const settings = { ...study.settings, maxLoops };
    return { ...manifest, state, spec: { ...manifest.spec, studies: [{ ...study, settings }] } };
  });

const tablesIn = ({ parts }: Manifest): Set<string> =>
  new Set(parts.flatMap(({ page, table }) => (page === 'run' ? [table] : [])));

test('is complete without them, says so everywhere, and derives them once they can be computed', async () => {
  const before = await readManifest(run);
  await withLoops(1, 'running');
  const ended = await evenkeel('resume', 'small');
  expect(ended.output).toContain('is complete, with tables missing: asl, ');
  expect(ended.status, ended.output).toBe(1);
  console.log(ended.output);
  const manifest = await readManifest(run);
  console.log(manifest.missingTables, [...tablesIn(manifest)]);
  for (const args of [['verify', 'small'], ['report', 'small'], ['status', 'small'], ['compare', 'small'],
    ['query', 'small', 'select count(*) from samples'], ['verify', 'small', '--repair'], ['resume', 'small']]) {
    const { status, output } = await evenkeel(...args);
    console.log(args.join(' '), status, output);
  }
  await withLoops(3, 'complete');
  const again = await evenkeel('resume', 'small');
  console.log(again.status, again.output);
  console.log((await readManifest(run)).missingTables);
  const v = await evenkeel('verify', 'small');
  console.log(v.status, v.output);
  void before; void existsSync; void readFileSync;
}, 240_000);
