import { chooseServer, type TemporalExecutable } from '../../workers/temporal/choose-server.ts';

/**
 * The server's executable of this machine, built first if necessary (`npm test` does so in a separate stage).
 */
export async function temporalExecutable(): Promise<TemporalExecutable> {
  const choice = await chooseServer({ env: { ...process.env, TEMPORAL_ADDRESS: undefined }, onProgress: () => {} });
  if (choice.kind !== 'executable') throw new Error(`expected an executable, got ${choice.line}`);
  return choice.executable;
}
