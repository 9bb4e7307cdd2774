/** `taxonomy` pays a model before it writes: an output that cannot be written is refused before anything is asked. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkOutputFile } from '../../../cli/output/output-file.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, 'inner'));
  writeFileSync(join(folder, 'file'), 'text');
});

// Red before: "no run", so the output was looked at last, after all that is paid.
test.each([
  ['in a missing folder', 'no/x.json', /--out {2}no such folder: .*\/no: create the folder, or choose another path\n$/],
  ['a folder', 'inner', /inner {2}--out {2}is a folder; expected a file: name a file in that folder\n$/],
  ['below a file', 'file/x.json', /--out {2}.*\/file is not a folder: choose another path\n$/],
  [
    'in a folder that permits writing and takes no file',
    '/proc/x.json',
    /^\/proc\/x\.json {2}--out {2}does not exist and cannot be created in \/proc: choose another path\n$/,
  ],
])('an output is refused first: %s', async (_what, out, message) => {
  const path = out.startsWith('/') ? out : join(folder, out);
  const env = { ...process.env, EVENKEEL_RUNS: join(folder, 'runs') };
  const { status, stderr } = await runCommand(['taxonomy', 'nightly', '--model', 'm', '--out', path], env);
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test('the target of a link is looked at too', async () => {
  symlinkSync('/proc/version', join(folder, 'link'));
  await expect(checkOutputFile(join(folder, 'link'))).rejects.toThrow(/ENOENT.*\/proc\/version\./);
});

test.each(['new.json', 'file', '/dev/null'])('%s is allowed, and nothing is left or changed', async (out) => {
  await checkOutputFile(out.startsWith('/') ? out : join(folder, out));
  expect(readdirSync(folder).toSorted()).toEqual(['file', 'inner']);
});
