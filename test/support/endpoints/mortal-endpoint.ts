/** A simulated endpoint that can be killed and comes back on the same port, with its earlier log. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { entriesOf, type SimulatedEndpoint } from './simulated-endpoint.ts';

export interface MortalEndpoint extends SimulatedEndpoint {
  /** SIGKILL, then a new process on the same port. Returns when the old one is gone. */
  kill(): Promise<void>;
  /** Listens again after `kill`. */
  restart(): Promise<void>;
}

export async function startMortalEndpoint(logFile: string, latencyMs: number): Promise<MortalEndpoint> {
  let port = 0;
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const args = [join(import.meta.dirname, 'endpoint-process.ts'), logFile, String(latencyMs), String(port)];
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    port = Number(line.toString().trim());
  };
  const kill = async (): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}/v1`,
    log: (from = 0) => entriesOf(logFile).slice(from),
    kill,
    restart: start,
    close: kill,
  };
}
