/**
 * Python packages to compare with: each in its own virtual environment, as one process that answers line by line.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface PeerProcess {
  readonly pid: number;
  ask(request: unknown): Promise<unknown>;
  close(): void;
}

/** The environment's folder; the first call creates it and downloads the package. */
export function installPeer(folder: string, name: string, version: string, print: (line: string) => void): string {
  const home = join(folder, `${name}-${version}`);
  if (existsSync(join(home, 'installed'))) return home;
  print(`installing ${name} ${version}`);
  mkdirSync(folder, { recursive: true });
  execFileSync('python3', ['-m', 'venv', home], { stdio: 'inherit' });
  execFileSync(pythonOf(home), ['-m', 'pip', 'install', '--quiet', `${name}==${version}`], { stdio: 'inherit' });
  writeFileSync(join(home, 'installed'), '');
  return home;
}

const pythonOf = (home: string): string => join(home, 'bin', 'python');

/** The same for a package of npm. */
export function installNodePeer(folder: string, name: string, version: string, print: (line: string) => void): string {
  const home = join(folder, `${name}-${version}`);
  if (existsSync(join(home, 'installed'))) return home;
  print(`installing ${name} ${version}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], { cwd: home, stdio: 'inherit' });
  writeFileSync(join(home, 'installed'), '');
  return home;
}

/** Starts `script`, which writes `{}` when it is ready and then answers each line of JSON with a line of JSON. */
export const startPeer = (home: string, script: string, env: NodeJS.ProcessEnv): Promise<PeerProcess> =>
  answering(pythonOf(home), script, env, home);

/** The same for a script of Node's, which imports the package from the folder `home`. */
export const startNodePeer = (home: string, script: string, env: NodeJS.ProcessEnv): Promise<PeerProcess> =>
  answering(process.execPath, script, env, home);

async function answering(program: string, script: string, env: NodeJS.ProcessEnv, home: string): Promise<PeerProcess> {
  const child = spawn(program, [script, home], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`${script} ended before answering`);
    return JSON.parse(String(value));
  };
  await next();
  return {
    pid: child.pid ?? 0,
    ask: async (request) => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return await next();
    },
    close: () => void child.stdin.end(),
  };
}
