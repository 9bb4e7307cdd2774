/** The `go` command in a folder of its own, with caches that go with the folder. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Environment } from './cache-folder.ts';

/** @returns what it wrote to standard output; throws with its last lines when it ends with anything but 0. */
export type Go = (args: readonly string[]) => Promise<string>;

/** @param onLine gets what `go` says meanwhile, line by line */
export async function goIn(folder: string, env: Environment, onLine: (line: string) => void): Promise<Go> {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  // The user's own settings (proxy, certificates, flags) stand; only the caches are ours, and a go.work above the folder does not count.
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
      if (!isNews(line)) errors.push(line);
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

/** A package that `go build -v` names once it is compiled. */
export const isPackage = (line: string): boolean => /^[a-z0-9][\w.\-/~]*$/i.test(line);

const isNews = (line: string): boolean => isPackage(line) || line.startsWith('go: downloading ');
