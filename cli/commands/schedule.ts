/** `schedule`: runs a spec and its gate on a schedule, with a Temporal server that outlives this command. */
import { resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import { InputError } from '../../domain/errors.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { connectClient } from '../../workers/temporal/connection.ts';
import { clusterSettings, type TemporalSettings } from '../../workers/temporal/settings.ts';
import {
  createSchedule,
  deleteSchedule,
  listSchedules,
  triggerSchedule,
  type WatchSchedule,
} from '../../workers/watch/schedules.ts';
import { serveWatch } from '../../workers/watch/serve-watch.ts';
import { runEvenkeel } from '../../workers/watch/watch-steps.ts';
import { commandName } from '../command-name.ts';
import { quoted } from '../../activities/storage/files/quoted.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { stopSignal } from '../stop-signal.ts';
import { readPolicyFile } from '../policy-file.ts';
import { storeAt, storeName } from '../../activities/storage/opened-store.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import { checkedRunId } from '../../activities/storage/catalog/run-id.ts';
import { readSpecFile } from '../spec-file.ts';
import { plain, type Terminal } from '../output/terminal.ts';

export interface ScheduleOptions {
  readonly runsDir: string;
  readonly spec?: string;
  readonly policy?: string;
  readonly against?: string;
  readonly cron?: string;
  readonly specs?: string;
}

/** A permanent server is there, or a person wants to know: only `serve`, a service, waits longer. */
const patienceMs = 10_000;

type Act = (name: string | undefined, options: ScheduleOptions, terminal: Terminal) => Promise<void>;

const actions: Readonly<Record<string, Act>> = { create, list, trigger, delete: remove, serve };

export async function schedule(
  words: readonly string[],
  options: ScheduleOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const [action = '', name] = words;
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (act === undefined)
    throw new InputError(`unknown action "${action}"; must be one of ${Object.keys(actions).join(', ')}`);
  await act(name, { ...options, runsDir: resolve(options.runsDir) }, terminal);
  return exitStatus.done;
}

/** Reads the spec, policy and baseline now, so that faults show here and not at three in the morning. */
async function create(name: string | undefined, options: ScheduleOptions, terminal: Terminal): Promise<void> {
  const { runsDir } = options;
  const order = {
    name: checkedRunId(named(name)),
    spec: resolve(needed(options.spec, '--spec')),
    policy: resolve(needed(options.policy, '--policy')),
    against: needed(options.against, '--against'),
  };
  const cron = needed(options.cron, '--cron');
  const { spec } = await readSpecFile(order.spec);
  await readPolicyFile(order.policy);
  const { manifest } = await runCatalog(runsDir).find(order.against);
  refuseOtherStudies(spec, manifest);
  await withClient(terminal, (client) => createSchedule(client, runsDir, order, cron));
  const place = storeAt(runsDir) === null ? ` --runs-dir ${quoted(runsDir)}` : '';
  terminal.out(
    `created schedule "${order.name}": ${cron} (UTC)\nit runs only while this command runs:\n` +
      `  ${commandName()} schedule serve${place}`,
  );
  terminal.document({ schedule: { ...order, cron } });
}

/** A gate compares studies of the same name and kind: with none, each night would be paid for and judged by nothing. */
export function refuseOtherStudies(
  { studies }: Pick<Spec, 'studies'>,
  against: Pick<Manifest, 'runId' | 'spec'>,
): void {
  const named = ({ name, kind }: Spec['studies'][number]): string => `"${name}" (${kind})`;
  const old = against.spec.studies.map(named);
  if (studies.map(named).some((study) => old.includes(study))) return;
  throw new InputError(
    `run ${against.runId} has the studies ${old.join(', ')}, the spec has ${studies.map(named).join(', ')}: a gate ` +
      'compares studies of the same name and kind. Name a run of this spec',
    { field: '--against' },
  );
}

async function list(_name: string | undefined, { runsDir }: ScheduleOptions, terminal: Terminal): Promise<void> {
  const schedules = await withClient(terminal, (client) => listSchedules(client, runsDir));
  terminal.out(
    schedules.length === 0 ? `no schedules for ${storeName(runsDir)}` : schedules.map(scheduleText).join('\n'),
  );
  terminal.document({ schedules });
}

const scheduleText = ({ name, cron, spec, against, next, recent }: WatchSchedule): string =>
  [
    `${name}  ${cron}  next ${next ?? 'never'}`,
    `  ${spec} against ${against}`,
    ...recent.slice(-3).map((id) => `  started ${id}`),
  ]
    .map(plain)
    .join('\n');

async function trigger(name: string | undefined, { runsDir }: ScheduleOptions, terminal: Terminal): Promise<void> {
  await withClient(terminal, (client) => triggerSchedule(client, runsDir, named(name)));
  terminal.out(`started schedule "${named(name)}"`);
  terminal.document({ triggered: named(name) });
}

async function remove(name: string | undefined, { runsDir }: ScheduleOptions, terminal: Terminal): Promise<void> {
  await withClient(terminal, (client) => deleteSchedule(client, runsDir, named(name)));
  terminal.out(`deleted schedule "${named(name)}"; its runs are kept`);
  terminal.document({ deleted: named(name) });
}

async function serve(
  _name: string | undefined,
  { runsDir, specs }: ScheduleOptions,
  terminal: Terminal,
): Promise<void> {
  // Runs are started in the way this process was: from a clone, a package or a test.
  const entry = [...process.execArgv, process.argv[1] ?? ''];
  const service = {
    temporal: permanentServer(),
    runsDir,
    specsDir: resolve(specs ?? '.'),
    cacheDir: cacheFolder(process.env),
    program: runEvenkeel(entry),
    onLine: terminal.note,
  };
  const serving = await serveWatch(service);
  void stopSignal().then(serving.drain);
  terminal.note(
    `serving the schedules of ${storeName(runsDir)}, with specs and policies in ${service.specsDir}; Ctrl-C stops`,
  );
  await serving.done;
}

async function withClient<T>(terminal: Terminal, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connectClient(permanentServer(), { limitMs: patienceMs, onWaiting: terminal.note });
  try {
    return await work(client);
  } finally {
    await client.connection.close();
  }
}

function permanentServer(): TemporalSettings {
  const settings = clusterSettings(process.env);
  if (settings !== null) return settings;
  throw new InputError(
    'must name a permanent Temporal server, as host:port: the embedded server stops with its command. Without ' +
      'such a server, use cron (docs/ci.md)',
    {
      field: 'TEMPORAL_ADDRESS',
    },
  );
}

const named = (name: string | undefined): string => needed(name, 'a name');

function needed(value: string | undefined, what: string): string {
  if (value === undefined || value === '')
    throw new InputError(`schedule needs ${what}; see ${commandName()} schedule --help`);
  return value;
}
