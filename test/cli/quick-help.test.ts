/** Help and version are quick because they load almost nothing; a clock would tell so only on an idle machine. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const start = fileURLToPath(new URL('../../bin/evenkeel.mjs', import.meta.url));
/** Writes the URL of every loaded module to stderr. */
const tellingModules = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => { writeSync(2, url + '\\n'); return next(url, context); } });
`)}`;

test.each(['--help', '--version', 'run --help'])('evenkeel %s loads commander and no other package', (line) => {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--import', tellingModules, start, ...line.split(' ')],
    {
      encoding: 'utf8',
    },
  );
  expect([status, stdout === '']).toEqual([0, false]);
  const packages = stderr.split('\n').flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
  expect([...new Set(packages)]).toEqual(['commander']);
});
