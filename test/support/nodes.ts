/** Gets other versions of Node from the npm registry, in the same way as `bin/bootstrap.mjs`. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/**
 * Path of the executable; null if it is not available. `node` is fetched by an install script, which some users'
 * settings forbid.
 */
export function nodeOf(version: string): string | null {
  const isKnown = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  const name = isKnown ? `node-linux-${process.arch}` : 'node';
  const args = ['-y', '-p', `${name}@${version}`, '--', 'node', '-p', 'process.execPath'];
  const { status, stdout } = spawnSync('npx', args, { cwd: tmpdir(), encoding: 'utf8' });
  const path = stdout.trim().split('\n').at(-1) ?? '';
  return status === 0 && existsSync(path) ? path : null;
}
