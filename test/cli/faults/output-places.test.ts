/** An output that cannot be written is refused before anything is read, computed or made, by all commands alike. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { refuseOtherFiles } from '../../../activities/exchange/write-saved.ts';
import { checkPlace, checkPlaces } from '../../../cli/faults/output-places.ts';
import { savedMultiverse } from '../../../schemas/saved-tables.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'file'), 'text');
  symlinkSync(join(folder, 'file'), join(folder, 'link'));
});

const outputs: readonly (readonly [verb: string, field: string, more: readonly string[]])[] = [
  ['multiverse', '--out', ['nightly']],
  ['multiverse', '--save', ['nightly']],
  ['compare', '--out', ['nightly']],
  ['compare', '--markdown', ['nightly']],
  ['compare', '--save', ['nightly']],
  ['query', '--out', ['nightly', 'select 1']],
  ['report', '--out', ['nightly']],
  ['export', '--out', ['nightly']],
  ['export', '--out', ['nightly', '--format', 'every-eval-ever']],
  ['archive', '--out', ['nightly']],
  ['taxonomy', '--out', ['nightly', '--model', 'm']],
  ['gate', '--markdown', ['nightly', '--policy', 'p.yaml']],
  ['gate', '--junit', ['nightly', '--policy', 'p.yaml']],
  ['import', '--out', ['answers.jsonl', '--format', 'samples']],
  ['import', '--spec', ['answers.jsonl', '--format', 'samples', '--out', 'r.jsonl']],
];

// Red before: "no run", or that the policy or the answers could not be read; `archive` and `--save` made the folder.
test.each(outputs)('%s %s in a missing folder: refused, and the folder is not made', async (verb, field, more) => {
  const path = join(folder, 'no', 'x.html');
  const env = { ...process.env, EVENKEEL_RUNS: join(folder, 'runs') };
  const { status, stderr } = await runCommand([verb, ...more, field, path], env);
  const told = `${path}  ${field}  no such folder: ${join(folder, 'no')}: create the folder, or choose another path\n`;
  expect([status, stderr]).toEqual([2, told]);
  expect(existsSync(join(folder, 'no'))).toBe(false);
});

const checked = (verb: string, field: string, name: string): Promise<void> =>
  checkPlaces(verb, [{ field, path: name.startsWith('/') ? name : join(folder, name) }]);

test.each([
  ['a folder where a file is expected', 'query', '--out', 'inner', /inner {2}--out {2}is a folder; expected a file/],
  ['a file where a folder is expected', 'compare', '--save', 'file', /file {2}--save {2}already exists and is not a/],
  ['a folder that takes no file', 'query', '--out', '/proc/x.csv', /ENOENT.*\/proc\/x\.csv\./],
])('refuses %s', async (_what, verb, field, name, message) => {
  await expect(checked(verb, field, name)).rejects.toThrow(message);
});

test.each([
  ['query', '--out', 'new.csv'],
  ['query', '--out', 'file'],
  ['query', '--out', 'link'],
  ['query', '--out', '/dev/null'],
  ['compare', '--save', 'new'],
  ['compare', '--save', 'inner'],
  ['export', '--out', 'inner'],
  // Appended to, and read.
  ['run', '--log', 'no/log.jsonl'],
  ['gate', '--policy', 'no/policy.yaml'],
])('%s %s %s: allowed, and nothing is left or changed', async (verb, field, name) => {
  await expect(checked(verb, field, name)).resolves.toBeUndefined();
  expect(readdirSync(folder).toSorted()).toEqual(['file', 'inner', 'link']);
  expect(readdirSync(join(folder, 'inner'))).toEqual([]);
});

test('one format is a file, another a folder', async () => {
  await expect(checkPlace(join(folder, 'inner'), '--out', 'file')).rejects.toThrow('is a folder; expected a file');
  await expect(checkPlace(join(folder, 'file'), '--out', 'folder')).rejects.toThrow('is not a folder');
});

test('a folder with other files cannot take tables', async () => {
  await expect(refuseOtherFiles(savedMultiverse, folder)).rejects.toThrow('holds other files: name a folder that is');
  await expect(refuseOtherFiles(savedMultiverse, join(folder, 'inner'))).resolves.toBeUndefined();
  await expect(refuseOtherFiles(savedMultiverse, join(folder, 'new'))).resolves.toBeUndefined();
});

// Red before: "no run".
test.each(['compare', 'multiverse'])('%s looks at the folder before it reads the run', async (verb) => {
  const env = { ...process.env, EVENKEEL_RUNS: join(folder, 'runs') };
  const { status, stderr } = await runCommand([verb, 'nightly', '--save', folder], env);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`${folder}  holds other files`)]);
});
