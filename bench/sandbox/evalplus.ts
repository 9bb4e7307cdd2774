/** EvalPlus in a virtual environment of its own, running in one process that is asked again and again. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

export interface PeerRequest {
  readonly tasks: readonly string[];
  /** Times that each task's program is judged. */
  readonly copies: number;
  readonly workers: number;
  readonly baseOnly: boolean;
}

export interface Peer {
  measure(request: PeerRequest): Promise<{ readonly seconds: number; readonly passed: number }>;
  close(): void;
}

const version = '0.3.1';

/** `dataFile`: MBPP+ as EvalPlus publishes it, compressed. The first start installs and computes its expected outputs, which takes minutes. */
export async function startEvalPlus(folder: string, dataFile: string, print: (line: string) => void): Promise<Peer> {
  const home = join(folder, `evalplus-${version}`);
  const python = join(home, 'bin', 'python');
  if (!existsSync(join(home, 'installed'))) {
    print(`installing EvalPlus ${version}`);
    mkdirSync(folder, { recursive: true });
    execFileSync('python3', ['-m', 'venv', home], { stdio: 'inherit' });
    execFileSync(python, ['-m', 'pip', 'install', '--quiet', `evalplus==${version}`], { stdio: 'inherit' });
    writeFileSync(join(home, 'installed'), '');
  }
  const data = join(home, 'MbppPlus.jsonl');
  if (!existsSync(data)) writeFileSync(data, gunzipSync(readFileSync(dataFile)));
  const child = spawn(python, [fileURLToPath(new URL('evalplus_driver.py', import.meta.url))], {
    env: { ...process.env, MBPP_OVERRIDE_PATH: data, XDG_CACHE_HOME: home },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`EvalPlus ended before it answered (${python})`);
    return JSON.parse(String(value));
  };
  await next();
  return {
    measure: async (request) => {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      return (await next()) as { seconds: number; passed: number };
    },
    close: () => void child.stdin.end(),
  };
}
