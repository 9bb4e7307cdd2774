/** Node of other versions, from the npm registry, as `bin/bootstrap.mjs` gets its own. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Path of the executable; null where it cannot be had. `node` itself is fetched by an install script, which some users' settings forbid. */
export function nodeOf(version: string): string | null {
  const isKnown = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  const name = isKnown ? `node-linux-${process.arch}` : 'node';
  const args = ['-y', '-p', `${name}@${version}`, '--', 'node', '-p', 'process.execPath'];
  const { status, stdout } = spawnSync('npx', args, { cwd: tmpdir(), encoding: 'utf8' });
  const path = stdout.trim().split('\n').at(-1) ?? '';
  return status === 0 && existsSync(path) ? path : null;
}
