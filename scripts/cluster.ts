/**
 * Starts what a store beyond one machine needs, on this machine: PostgreSQL, an S3 server and Temporal. Prints the
 * variables that name them, and stops them at Ctrl-C, with all that they stored: npm run cluster
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareStore } from '../activities/storage/postgres/prepare.ts';
import { chooseServer } from '../workers/temporal/choose-server.ts';
import { ensureServer } from '../workers/temporal/embedded-server.ts';
import { objectServerProgram, startObjectServer } from './cluster/object-server.ts';
import { postgresPrograms, startPostgres } from './cluster/postgres-server.ts';

const closing: (() => Promise<void>)[] = [];
const startedAll = async (): Promise<Readonly<Record<string, string>>> => {
  const postgres = await startPostgres(postgresPrograms());
  closing.push(postgres.stop);
  await prepareStore(postgres.address);
  const objects = await startObjectServer(await objectServerProgram(console.error));
  closing.push(objects.stop);
  const address = await startTemporal();
  return {
    EVENKEEL_STORE: postgres.address,
    EVENKEEL_BLOBS: objects.bucket,
    TEMPORAL_ADDRESS: address,
    ...objects.env,
  };
};

async function startTemporal(): Promise<string> {
  const choice = await chooseServer({
    env: { ...process.env, TEMPORAL_ADDRESS: undefined },
    onProgress: console.error,
  });
  if (choice.kind !== 'executable') throw new Error(`expected an executable, got ${choice.line}`);
  const stateDir = mkdtempSync(join(tmpdir(), 'evenkeel-temporal-'));
  const server = await ensureServer({ stateDir, executable: choice.executable, onProgress: console.error });
  closing.push(async () => {
    await server.lease.release();
    rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 });
  });
  return server.address;
}

try {
  const variables = await startedAll();
  for (const [name, value] of Object.entries(variables)) console.log(`export ${name}=${value}`);
  console.error('Ctrl-C stops them');
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
} finally {
  for (const close of closing.reverse()) await close();
}
