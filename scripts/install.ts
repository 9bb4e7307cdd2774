/**
 * Installs exactly what the lock file lists, with the Node that runs this script: npm on Node 20 silently skips
 * optional native packages. Install scripts are not run; no dependency needs one.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';
import { withFileLock } from '../workers/temporal/file-lock.ts';
import { root } from './root.ts';

const modules = join(root, 'node_modules');
const stamp = join(modules, '.evenkeel-lock');
/** SHA-256 of the lock file, passed by bin/bootstrap.mjs. */
const hash = String(process.argv[2]);

/** Outside node_modules, which npm removes, and outside the clone, which stays clean. */
const lock = join(cacheFolder(process.env), 'locks', createHash('sha256').update(root).digest('hex').slice(0, 16));

await withFileLock(lock, async () => {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stderr.write('evenkeel: installing dependencies (once per clone and lock file)\n');
  const { status, error } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    process.stderr.write(`evenkeel: npm ci failed${error === undefined ? '' : `: ${error.message}`}\n`);
    process.exitCode = 2;
    return;
  }
  writeFileSync(join(modules, '.evenkeel-node'), process.execPath);
  writeFileSync(stamp, hash);
});
