/**
 * How many calls per second several processes reserve and accept durably in one run on PostgreSQL (with fsync).
 * Run: `npm run bench -- calls-postgres [processes] [concurrency] [seconds]`
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openPostgresLedger } from '../../activities/storage/postgres/ledger/open-ledger.ts';
import { openPostgres } from '../../activities/storage/postgres/postgres.ts';
import { prepareStore } from '../../activities/storage/postgres/prepare.ts';
import { postgresPrograms, startPostgres } from '../../scripts/cluster/postgres-server.ts';

const [processes = 4, concurrency = 256, seconds = 10] = process.argv.slice(2).map(Number);
const program = fileURLToPath(new URL('./calls-process.ts', import.meta.url));

const server = await startPostgres(postgresPrograms());
try {
  await prepareStore(server.address);
  const database = openPostgres(server.address);
  await database.query("insert into run (id, place, manifest) values ('bench', 'bench', '')");
  const calls = await openPostgresLedger(database, 'bench');
  const names = Array.from({ length: processes }, (_, place) => `p${place}`);
  await calls.addPages(names.map((page) => ({ page, study: 's', model: 'm', cells: 1_000_000, revision: 1 })));
  await calls.setBudget({ usd: 1e6, tokens: null });
  const epoch = await calls.takeOver('bench');
  const done = await Promise.all(
    names.map(async (name) => {
      const args = [server.address, name, epoch, seconds * 1_000, concurrency].map(String);
      const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
      return Number(await text(child.stdout));
    }),
  );
  const all = done.reduce((sum, one) => sum + one, 0);
  const [size] = await database.query<{ readonly bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  );
  await database.close();
  const serverMs = await serverProcessorMs(server.pid);
  console.log(
    `${processes} processes, ${concurrency} calls at a time each, ${seconds} s: ` +
      `${(all / seconds).toFixed(0)} calls reserved and accepted a second; ` +
      `${(Number(size?.bytes ?? 0) / all / 1e3).toFixed(1)} KB of database a call; ` +
      `${(serverMs / all).toFixed(2)} ms of the server's processor time a call; ` +
      `${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}`,
  );
} finally {
  await server.stop();
}

/** Of sessions that have ended, in milliseconds. */
async function serverProcessorMs(pid: number): Promise<number> {
  await sleep(500);
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // cutime and cstime, in hundredths of a second.
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
