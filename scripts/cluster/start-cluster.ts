/** What a store beyond one machine needs, on this machine: PostgreSQL, an S3 server and Temporal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareStore } from '../../activities/storage/postgres/prepare.ts';
import { chooseServer } from '../../workers/temporal/choose-server.ts';
import { ensureServer } from '../../workers/temporal/embedded-server.ts';
import { type ObjectServer, objectServerProgram, startObjectServer } from './object-server.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres-server.ts';

export interface Cluster {
  readonly postgres: PostgresServer;
  readonly objects: ObjectServer;
  readonly temporal: { readonly address: string };
  /** Stops the servers, and removes all that they stored. */
  stop(): Promise<void>;
}

/** The store is prepared. @param say where the servers are built or installed first */
export async function startCluster(say: (line: string) => void): Promise<Cluster> {
  const closing: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const postgres = await startPostgres(postgresPrograms());
    closing.push(postgres.stop);
    await prepareStore(postgres.address);
    const objects = await startObjectServer(await objectServerProgram(say));
    closing.push(objects.stop);
    const temporal = await startTemporal(say);
    closing.push(temporal.stop);
    return { postgres, objects, temporal, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What names the servers to a process. */
export const clusterVariables = ({ postgres, objects, temporal }: Omit<Cluster, 'stop'>): Record<string, string> => ({
  EVENKEEL_STORE: postgres.address,
  EVENKEEL_BLOBS: objects.bucket,
  TEMPORAL_ADDRESS: temporal.address,
  ...objects.env,
});

async function startTemporal(say: (line: string) => void): Promise<{ address: string; stop(): Promise<void> }> {
  const choice = await chooseServer({ env: { ...process.env, TEMPORAL_ADDRESS: undefined }, onProgress: say });
  if (choice.kind !== 'executable') throw new Error(`expected an executable, got ${choice.line}`);
  const stateDir = mkdtempSync(join(tmpdir(), 'evenkeel-temporal-'));
  const server = await ensureServer({ stateDir, executable: choice.executable, onProgress: say });
  return {
    address: server.address,
    async stop() {
      await server.lease.release();
      rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
