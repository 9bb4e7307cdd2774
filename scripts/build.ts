/**
 * Builds dist/: the program as JavaScript, in the same folders as its sources, with the tracked files
 * that it reads at run time.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commitOf } from '../activities/runs/version.ts';
import { root } from './root.ts';

const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['--project', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});

const folders = ['analysis', 'data', 'sandbox', 'schemas'];
const tracked = execFileSync('git', ['ls-files', '-z', ...folders], { cwd: root, encoding: 'utf8' }).split('\0');
/** Sources of the program, and scripts that made its data. */
const isSource = (name: string): boolean => /\.ts$|\/make_\w+\.py$/.test(name);
for (const file of tracked.filter((name) => name !== '' && !isSource(name))) cpSync(join(root, file), join(dist, file));

// A package has no history: what it was built from goes into every run's calls.
const commit = commitOf(root);
if (commit !== null) writeFileSync(join(dist, 'built-from.txt'), `${commit}\n`);
