/** The `go` command in a separate folder, with caches that are removed with the folder. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Environment } from './cache-folder.ts';

/** @returns standard output; throws with the last lines of stderr if the exit status is not 0 */
export type Go = (args: readonly string[]) => Promise<string>;

/** @param onLine gets each line that `go` writes to stderr */
export async function goIn(folder: string, env: Environment, onLine: (line: string) => void): Promise<Go> {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  // The user's own settings (proxy, certificates, flags) apply; only the caches are separate, and a go.work above the
  // folder is ignored.
  const goEnv = {
    ...env,
    CGO_ENABLED: '0',
    GOWORK: 'off',
    GOPATH: join(folder, 'path'),
    GOMODCACHE: join(folder, 'modules'),
    GOCACHE: join(folder, 'compiled'),
    GOTMPDIR: temporary,
  };
  return async (args) => {
    const go = spawn('go', args, { cwd: folder, env: goEnv, stdio: ['ignore', 'pipe', 'pipe'] });
    const errors: string[] = [];
    createInterface({ input: go.stderr }).on('line', (line) => {
      onLine(line);
      if (!isProgress(line)) errors.push(line);
    });
    const ended = new Promise<number | string>((resolve, reject) => {
      go.once('error', reject);
      go.once('close', (status, signal) => resolve(status ?? String(signal)));
    });
    const [output, status] = await Promise.all([text(go.stdout), ended]);
    if (status !== 0) throw new Error(`go ${args[0]} ended with ${status}: ${errors.slice(-8).join(' | ')}`);
    return output;
  };
}

/** Whether the line is a package name, which `go build -v` prints once the package is compiled. */
export const isPackage = (line: string): boolean => /^[a-z0-9][\w.\-/~]*$/i.test(line);

const isProgress = (line: string): boolean => isPackage(line) || line.startsWith('go: downloading ');
