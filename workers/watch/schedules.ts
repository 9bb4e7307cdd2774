/** Temporal Schedules of a runs directory: made, listed, started out of turn, deleted. */
import { type Client, ScheduleAlreadyRunning, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
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
  /** ISO 8601, UTC; null where there is none. */
  readonly next: string | null;
  /** Workflow ids of the last times, the newest last. */
  readonly recent: readonly string[];
}

/** Its workflows and their steps wait here; another runs directory has another queue. */
export const watchQueue = (runsDir: string): string => `${prefixOf(runsDir)}watch`;
const prefixOf = (runsDir: string): string => `evenkeel-${sha256(runsDir).slice(0, 8)}-`;

/** A time that comes while the one before still goes on is left out; one that was missed for an hour, too. */
export async function createSchedule(client: Client, runsDir: string, order: WatchOrder, cron: string): Promise<void> {
  const scheduleId = `${prefixOf(runsDir)}${order.name}`;
  try {
    await client.schedule.create<typeof watch>({
      scheduleId,
      spec: { cronExpressions: [cron] },
      action: { type: 'startWorkflow', workflowType: 'watch', workflowId: scheduleId, taskQueue: watchQueue(runsDir), args: [order] },
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' },
      memo: { ...order, cron },
    });
  } catch (error) {
    if (error instanceof ScheduleAlreadyRunning)
      throw new InputError(`there is a schedule "${order.name}" already; delete it first, or choose another name`);
    // What the client makes of the server's "invalid argument".
    if (error instanceof TypeError)
      throw new InputError(`"${cron}" is no time that Temporal understands: ${error.message}`, { field: '--cron' });
    throw error;
  }
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

/** Now, whatever its times are. */
export const triggerSchedule = (client: Client, runsDir: string, name: string): Promise<void> =>
  known(client, runsDir, name, (handle) => handle.trigger());

type Handle = ReturnType<Client['schedule']['getHandle']>;

async function known(client: Client, runsDir: string, name: string, act: (handle: Handle) => Promise<unknown>): Promise<void> {
  try {
    await act(client.schedule.getHandle(`${prefixOf(runsDir)}${name}`));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    const names = (await listSchedules(client, runsDir)).map((one) => one.name);
    throw new InputError(`no schedule "${name}" for ${runsDir}; there ${names.length === 0 ? 'is none' : `are: ${names.join(', ')}`}`);
  }
}
