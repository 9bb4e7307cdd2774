/**
 * What a run on servers takes as it grows: time, activities of Temporal, rows in PostgreSQL, objects in the bucket, and
 * what follows for 10 and 100 million answers. Simulated models without an endpoint; all servers on this machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { s3Blobs } from '../../activities/storage/s3/s3-blobs.ts';
import { openPostgres } from '../../activities/storage/postgres/postgres.ts';
import { starterBenchmark } from '../../cli/starter.ts';
import { type Cluster, clusterVariables, startCluster } from '../../scripts/cluster/start-cluster.ts';
import { loadText } from '../machine.ts';
import { foreseen } from '../sweep/foreseen.ts';
import { completedActivities } from './activities.ts';

export interface ServersOptions {
  /** Answers of a task and model, separated by commas. */
  readonly samples: string;
  /** Loops of a run of EVALOOP, which has many activities for its answers. */
  readonly loops: string;
}

type Print = (line: string) => void;

const program = join(import.meta.dirname, '..', '..', 'bin', 'evenkeel.mjs');
const models = 8;
const targets = [10e6, 100e6];

interface Size {
  readonly answers: number;
  readonly activities: number;
  readonly seconds: number;
  readonly databaseBytes: number;
  readonly objectBytes: number;
  readonly objects: number;
}

export async function serversBench({ samples, loops }: ServersOptions, print: Print): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-servers-'));
  const cluster = await startCluster(print);
  Object.assign(process.env, cluster.objects.env);
  try {
    const sizes: Size[] = [];
    const measure = (name: string, study: string): Promise<Size> => measured(cluster, folder, { name, study }, print);
    for (const each of samples.split(',').map(Number)) sizes.push(await measure(`pass-${each}`, passStudy(each)));
    for (const target of targets) printForeseen(sizes, target, print);
    await measure(`evaloop-${loops}`, evaloopStudy(Number(loops)));
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Trial {
  readonly name: string;
  readonly study: string;
}

async function measured(cluster: Cluster, folder: string, trial: Trial, print: Print): Promise<Size> {
  const { name } = trial;
  const spec = join(folder, `${name}.yaml`);
  writeFileSync(spec, specText(trial));
  const before = await stored(cluster);
  const startedMs = performance.now();
  await evenkeel(cluster, folder, 'run', spec);
  const seconds = (performance.now() - startedMs) / 1000;
  const after = await stored(cluster);
  const counted = await evenkeel(cluster, folder, 'query', name, 'select count(*)::int from samples', '--json');
  const size = {
    answers: (JSON.parse(counted) as { readonly rows: readonly [readonly [number]] }).rows[0][0],
    activities: await completedActivities(cluster.temporal.address, name),
    seconds,
    databaseBytes: after.databaseBytes - before.databaseBytes,
    objectBytes: after.objectBytes - before.objectBytes,
    objects: after.objects - before.objects,
  };
  const perAnswer = (bytes: number): string => `${(bytes / size.answers / 1e3).toFixed(2)} KB an answer`;
  print(
    `${name}: ${size.answers} answers in ${seconds.toFixed(1)} s, ${size.activities} activities, ` +
      `${(size.activities / seconds).toFixed(0)} a second; database ${perAnswer(size.databaseBytes)}, ` +
      `objects ${perAnswer(size.objectBytes)} in ${size.objects}; ${loadText()}`,
  );
  return size;
}

async function stored({
  postgres,
  objects,
}: Cluster): Promise<Pick<Size, 'databaseBytes' | 'objectBytes' | 'objects'>> {
  const database = openPostgres(postgres.address);
  try {
    const sql = 'select pg_database_size(current_database())::float8 as bytes';
    const [row] = await database.query<{ readonly bytes: number }>(sql);
    const listed = await s3Blobs(objects.bucket).list('');
    const objectBytes = listed.reduce((sum, { bytes }) => sum + bytes, 0);
    return { databaseBytes: row?.bytes ?? Number.NaN, objectBytes, objects: listed.length };
  } finally {
    await database.close();
  }
}

/** Runs the command with the cluster's servers; returns its output. @throws {Error} it failed */
async function evenkeel(cluster: Cluster, folder: string, ...args: readonly string[]): Promise<string> {
  const own = { EVENKEEL_CACHE: join(folder, 'cache'), EVENKEEL_RUNS: '', EVENKEEL_EXECUTION_CACHE: undefined };
  const env = { ...process.env, ...clusterVariables(cluster), ...own };
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>]);
  if (status !== 0) throw new Error(`evenkeel ${args.join(' ')} ended with status ${status}`);
  return output;
}

function printForeseen(sizes: readonly Size[], target: number, print: Print): void {
  const line = (what: string, unit: string, value: (size: Size) => number): void => {
    const { at, error } = foreseen(
      sizes.map((size) => [size.answers, value(size)]),
      target,
    );
    print(`  ${what}: ${at.toPrecision(3)} ${unit}${error === null ? '' : ` +- ${error.toPrecision(2)} (95 %)`}`);
  };
  print(`\nstraight lines through ${sizes.length} sizes, at ${target / 1e6} million answers:`);
  line('time on this machine', 'h', ({ seconds }) => seconds / 3600);
  line('database', 'GB', ({ databaseBytes }) => databaseBytes / 1e9);
  line('objects', 'GB', ({ objectBytes }) => objectBytes / 1e9);
}

const simulated = 'provider: simulated, profile: { competence: 0.7 }';

const specText = ({ name, study }: Trial): string => `name: ${name}
models:
${Array.from({ length: models }, (_, index) => `  - { id: m${index}, ${simulated} }`).join('\n')}
benchmarks:
  starter: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)} }
studies:
  - { name: study, benchmark: starter, ${study} }
`;
const passStudy = (samples: number): string => `kind: pass, settings: { samples: ${samples} }`;
const evaloopStudy = (loops: number): string => `kind: evaloop, settings: { maxLoops: ${loops} }`;
