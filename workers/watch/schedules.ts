/** Temporal Schedules of a store of runs: create, list, trigger, delete. A folder is named by its path. */
import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import { storeAt, storeName } from '../../activities/storage/opened-store.ts';
import { InputError } from '../../domain/errors.ts';
import { sha256 } from '../../domain/ids.ts';
import type { WatchOrder } from '../../schemas/watch.ts';
import type { watch } from '../../workflows/watch.ts';

export interface WatchSchedule {
  readonly name: string;
  readonly cron: string;
  readonly spec: string;
  readonly policy: string;
  readonly against: string;
  /** ISO 8601, UTC; null if there is none. */
  readonly next: string | null;
  /** Workflow ids of the latest runs, newest last. */
  readonly recent: readonly string[];
}

/** Task queue of the watch workflows and their steps; each store has its own, which all hosts share. */
export const watchQueue = (runsDir: string): string => `${prefixOf(runsDir)}watch`;
const prefixOf = (runsDir: string): string => `evenkeel-${sha256(storeAt(runsDir)?.id ?? runsDir).slice(0, 8)}-`;

/**
 * A start that falls due while the previous run is active is skipped, and so is one that was
 * missed by more than an hour.
 */
export async function createSchedule(client: Client, runsDir: string, order: WatchOrder, cron: string): Promise<void> {
  const scheduleId = `${prefixOf(runsDir)}${order.name}`;
  try {
    await client.schedule.create<typeof watch>({
      scheduleId,
      spec: { cronExpressions: [cron] },
      action: {
        type: 'startWorkflow',
        workflowType: 'watch',
        workflowId: scheduleId,
        taskQueue: watchQueue(runsDir),
        args: [order],
      },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
      memo: { ...order, cron },
    });
    await refuseNever(client, scheduleId, cron);
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning)
      throw new InputError(`schedule "${order.name}" already exists; delete it first, or choose another name`);
    // The client throws this for the server's "invalid argument".
    if (error instanceof TypeError)
      throw new InputError(`Temporal cannot read the cron expression "${cron}": ${error.message}`, { field: '--cron' });
    throw error;
  }
}

/** Temporal accepts the 30th of February, and knows when a schedule comes next. */
async function refuseNever(client: Client, scheduleId: string, cron: string): Promise<void> {
  const handle = client.schedule.getHandle(scheduleId);
  if ((await handle.describe()).info.nextActionTimes.length > 0) return;
  await handle.delete();
  throw new InputError(`the cron expression "${cron}" never comes: no date has its day and month`, {
    field: '--cron',
  });
}

export async function listSchedules(client: Client, runsDir: string): Promise<WatchSchedule[]> {
  const found: WatchSchedule[] = [];
  for await (const { scheduleId, memo, info } of client.schedule.list()) {
    if (!scheduleId.startsWith(prefixOf(runsDir))) continue;
    const text = (field: string): string => textOf(memo?.[field]);
    found.push({
      name: scheduleId.slice(prefixOf(runsDir).length),
      ...{ cron: text('cron'), spec: text('spec'), policy: text('policy'), against: text('against') },
      next: info?.nextActionTimes[0]?.toISOString() ?? null,
      recent: (info?.recentActions ?? []).map(({ action }) => action.workflow.workflowId),
    });
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const deleteSchedule = (client: Client, runsDir: string, name: string): Promise<void> =>
  known(client, runsDir, name, (handle) => handle.delete());

/** Starts the schedule's run now. */
export const triggerSchedule = (client: Client, runsDir: string, name: string): Promise<void> =>
  known(client, runsDir, name, (handle) => handle.trigger());

type Handle = ReturnType<Client['schedule']['getHandle']>;

async function known(
  client: Client,
  runsDir: string,
  name: string,
  act: (handle: Handle) => Promise<unknown>,
): Promise<void> {
  try {
    await act(client.schedule.getHandle(`${prefixOf(runsDir)}${name}`));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    const names = (await listSchedules(client, runsDir)).map((one) => one.name);
    throw new InputError(
      `no schedule "${name}" for ${storeName(runsDir)}; ` +
        (names.length === 0 ? 'it has none' : `it has: ${names.join(', ')}`),
    );
  }
}
