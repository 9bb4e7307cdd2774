/**
 * Started by a Node that is too old, as after `npm i -g` with Node 20: one notice, and hints with the name that the
 * user typed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nodeOf } from '../support/nodes.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-old-node-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** The program's first files unchanged; one file that prints its Node and its name stands in for all others. */
function installed(): string {
  const [program, names] = [join(folder, 'evenkeel'), join(folder, 'bin')];
  cpSync(join(import.meta.dirname, '../../bin'), join(program, 'bin'), { recursive: true });
  for (const part of ['cli', 'workers/temporal', 'activities/storage/files'])
    mkdirSync(join(program, 'dist', part), { recursive: true });
  writeFileSync(join(program, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(program, 'dist/workers/temporal/cache-folder.js'),
    'export const cacheFolder = (env) => env.EVENKEEL_CACHE;\n',
  );
  const makeFolder =
    "import { mkdirSync } from 'node:fs';\nexport const makeFolder = (path) => mkdirSync(path, { recursive: true });\n";
  writeFileSync(join(program, 'dist/activities/storage/files/make-folder.js'), makeFolder);
  writeFileSync(join(program, 'dist/cli/main.js'), 'console.log(process.versions.node, process.argv[1]);\n');
  mkdirSync(names);
  symlinkSync('../evenkeel/bin/evenkeel.mjs', join(names, 'evenkeel'));
  return join(names, 'evenkeel');
}

test('the notice is printed once, not with every command, and hints use the typed name', ({ skip }) => {
  const old = nodeOf('20.19.5');
  if (old === null) return skip('Node 20 cannot be downloaded from the npm registry here');
  const started = installed();
  const env = { ...process.env, EVENKEEL_CACHE: join(folder, 'cache') };
  const [first, second] = [1, 2].map(() => spawnSync(old, [started], { encoding: 'utf8', env }));
  expect(first?.stderr).toContain('Node 20.19.5 is too old');
  expect(second?.stderr).toBe('');
  for (const end of [first, second]) expect(end?.stdout).toMatch(new RegExp(`^24\\.\\d+\\.\\d+ ${started}\n$`));
}, 120_000);

test('a relative XDG_CACHE_HOME is ignored: the path of the Node is kept below the home folder', ({ skip }) => {
  const old = nodeOf('20.19.5');
  if (old === null) return skip('Node 20 cannot be downloaded from the npm registry here');
  const [home, cwd] = [join(folder, 'home'), join(folder, 'cwd')];
  for (const path of [home, cwd]) mkdirSync(path);
  const { EVENKEEL_CACHE: _, ...rest } = process.env;
  const env = { ...rest, HOME: home, XDG_CACHE_HOME: 'caches', npm_config_cache: npmCache() };
  spawnSync(old, [join(folder, 'evenkeel/bin/evenkeel.mjs')], { encoding: 'utf8', cwd, env });
  expect(readdirSync(cwd)).toEqual([]);
  expect(readdirSync(join(home, '.cache/evenkeel')).join(' ')).toMatch(/^node-24\./);
}, 120_000);

/** With another home folder npm would fetch the Node once more. */
const npmCache = (): string => spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim();
