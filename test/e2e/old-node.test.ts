/** Started by a Node that is too old, as `npm i -g` on Node 20 leaves it: a notice once, and the name that the person typed. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nodeOf } from '../support/nodes.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-old-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** The program's first files as they are, and in place of all others one that says under which Node and name it was started. */
function installed(): string {
  const [program, names] = [join(folder, 'evenkeel'), join(folder, 'bin')];
  cpSync(join(import.meta.dirname, '../../bin'), join(program, 'bin'), { recursive: true });
  for (const part of ['cli', 'workers/temporal', 'activities/storage']) mkdirSync(join(program, 'dist', part), { recursive: true });
  writeFileSync(join(program, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(program, 'dist/workers/temporal/cache-folder.js'), 'export const cacheFolder = (env) => env.EVENKEEL_CACHE;\n');
  const makeFolder = "import { mkdirSync } from 'node:fs';\nexport const makeFolder = (path) => mkdirSync(path, { recursive: true });\n";
  writeFileSync(join(program, 'dist/activities/storage/make-folder.js'), makeFolder);
  writeFileSync(join(program, 'dist/cli/main.js'), 'console.log(process.versions.node, process.argv[1]);\n');
  mkdirSync(names);
  symlinkSync('../evenkeel/bin/evenkeel.mjs', join(names, 'evenkeel'));
  return join(names, 'evenkeel');
}

test('the notice comes once, not at every command, and hints have the name that was typed', ({ skip }) => {
  const old = nodeOf('20.19.5');
  if (old === null) return skip('Node 20 cannot be had from the npm registry here');
  const started = installed();
  const env = { ...process.env, EVENKEEL_CACHE: join(folder, 'cache') };
  const [first, second] = [1, 2].map(() => spawnSync(old, [started], { encoding: 'utf8', env }));
  expect(first?.stderr).toContain('Node 20.19.5 is too old');
  expect(second?.stderr).toBe('');
  for (const end of [first, second]) expect(end?.stdout).toMatch(new RegExp(`^24\\.\\d+\\.\\d+ ${started}\n$`));
}, 120_000);
