/** The command for a new run, after another version of a model answered than `strictVersion` allows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { howToContinue } from '../../../cli/how-to-continue.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const manifest = { runId: 'ver', specFile: 'ver.yaml', specText: 'name: ver', stateDetail: 'x' } as unknown as Manifest;
const adviceFor = (specPath: string | undefined): string =>
  howToContinue(manifest, 'runs', { retry: undefined, strict: ['a'], specPath });

const before = process.cwd();
afterEach(() => process.chdir(before));

// Red when it names the file without its folder.
test('names the spec as the command was given it', () => {
  expect(adviceFor('../lab/ver.yaml')).toContain(' run ../lab/ver.yaml --run NAME');
});

test('of a command that was given no spec, names a file only if it is there, with the text of the run', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'ver.yaml'), 'name: ver');
  process.chdir(folder);
  expect(adviceFor(undefined)).toContain(' run ver.yaml --run NAME');
  writeFileSync('ver.yaml', 'name: another');
  const again = String.raw`Only if .*\n .* resume ver --model a --runs-dir runs$`;
  const unknown = new RegExp(String.raw` run SPEC --run NAME.*\n\(SPEC: the file of this run, ver\.yaml\)\n${again}`);
  expect(adviceFor(undefined)).toMatch(unknown);
  process.chdir('empty');
  expect(adviceFor(undefined)).toMatch(unknown);
});
