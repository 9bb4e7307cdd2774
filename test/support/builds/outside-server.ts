/** A Temporal server as its own command line starts it, with Worker Versioning. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connectClient } from '../../../workers/temporal/connection.ts';
import { findFreePort } from '../../../workers/temporal/free-port.ts';
import { settingsOf } from '../../../workers/temporal/start-server.ts';
import { temporalExecutable } from '../temporal.ts';

export interface OutsideServer {
  readonly address: string;
  /** Kills it, and starts it on the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** @param settings of its dynamic configuration */
export async function startOutsideServer(folder: string, settings: readonly string[] = []): Promise<OutsideServer> {
  const port = await findFreePort();
  const { path } = await temporalExecutable();
  const database = ['--db-filename', join(folder, `outside-${port}.db`)];
  const dynamic = settings.flatMap((setting) => ['--dynamic-config-value', setting]);
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)];
  const start = () => spawn(path, [...args, ...database, ...dynamic], { stdio: 'ignore' });
  let child = start();
  const answers = async (): Promise<void> => (await connectClient(settingsOf(port))).connection.close();
  const close = async (): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await answers();
  return {
    address: settingsOf(port).address,
    async restart() {
      await close();
      child = start();
      await answers();
    },
    close,
  };
}
