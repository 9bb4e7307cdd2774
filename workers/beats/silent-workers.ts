/** Workers of a run that do not answer, as their owner tells others in a file of the run's folder. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const schema = z.object({
  /** When the owner looked, milliseconds since 1970. */
  atMs: z.number(),
  workers: z.array(
    z.object({
      pid: z.int(),
      roles: z.array(z.string()),
      silentMs: z.number(),
      /** As `ps` shows it; null where that is not known. */
      state: z.string().nullable(),
    }),
  ),
});
export type SilentWorker = z.infer<typeof schema>['workers'][number];

/** What an owner wrote longer ago is of one that was killed. */
const freshMs = 15_000;
const fileIn = (folder: string): string => join(folder, 'silent-workers.json');

/** Without workers, removes the file. A folder that cannot be written is no reason to end. */
export function tellSilent(folder: string, workers: readonly SilentWorker[]): void {
  try {
    if (workers.length === 0) rmSync(fileIn(folder), { force: true });
    else writeFileSync(fileIn(folder), JSON.stringify({ atMs: Date.now(), workers }));
  } catch {
    // They are named on the owner's terminal too.
  }
}

/** Of the run in this folder; none if nothing was told within the last seconds. */
export function silentWorkersIn(folder: string, nowMs = Date.now()): readonly SilentWorker[] {
  try {
    const { atMs, workers } = schema.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
    return nowMs - atMs > freshMs ? [] : workers;
  } catch {
    return [];
  }
}

/** `worker 4711 (workflow+io) has not answered for 40 s: stopped (state T in ps); ...` */
export function silentText({ pid, roles, silentMs, state }: SilentWorker): string {
  const isStopped = state?.toUpperCase() === 'T';
  const why = isStopped ? `stopped (state T in ps); \`kill -CONT ${pid}\` lets it go on` : 'busy or stuck';
  const seen = isStopped || state === null ? '' : ` (state ${state} in ps)`;
  const seconds = Math.round(silentMs / 1_000);
  return `worker ${pid} (${roles.join('+')}) has not answered for ${seconds} s: ${why}${seen}`;
}
