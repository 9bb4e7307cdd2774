/** Notices workers that do not answer. They are not killed: what is in flight there is paid for, and may come. */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { beatDescriptor } from './beat.ts';
import { stateOf } from './process-state.ts';
import { type SilentWorker, silentText } from './silent-workers.ts';

/** Loading takes a worker some seconds, more on a busy machine. */
const silentAfterMs = 25_000;
const tickMs = 1_000;
/** Silent workers are told about this often. */
const ticksBetween = 5;

/** How long one worker, whose processes may follow each other, has said nothing. */
export interface Silence {
  listenTo(child: ChildProcess): void;
  ms(): number;
  add(ms: number): void;
}

export function silenceOfWorker(): Silence {
  let silentMs = 0;
  const heard = (): void => {
    silentMs = 0;
  };
  return {
    listenTo(child) {
      heard();
      // A process that could not be started has no pipes.
      const { stdio } = child as { readonly stdio?: ChildProcess['stdio'] };
      const beats = stdio?.[beatDescriptor] as Readable | null | undefined;
      beats?.on('data', heard).on('error', () => {});
    },
    ms: () => silentMs,
    add(ms) {
      silentMs += ms;
    },
  };
}

export interface HeardWorker {
  readonly roles: readonly string[];
  readonly silence: Silence;
  /** Undefined once it has ended. */
  pid(): number | undefined;
}

export interface Told {
  readonly onLine: (line: string) => void;
  /** Those of this moment, every few seconds while there are any, and once when there are none any more. */
  readonly onSilent: (workers: readonly SilentWorker[]) => void;
}

/** Says once of each worker that it is silent, and once that it answers again. Returns what ends that. */
export function watchSilence(workers: readonly HeardWorker[], { onLine, onSilent }: Told): () => void {
  let [tickedAtMs, ticks] = [performance.now(), 0];
  let said = new Map<HeardWorker, number>();
  const tick = (): void => {
    // While this process is suspended, as its workers may be, none of them can be heard.
    const elapsedMs = Math.min(performance.now() - tickedAtMs, 2 * tickMs);
    tickedAtMs = performance.now();
    for (const { silence } of workers) silence.add(elapsedMs);
    const silent = workers.filter(({ silence, pid }) => pid() !== undefined && silence.ms() >= silentAfterMs);
    for (const worker of silent) if (!said.has(worker)) onLine(silentText(factsOf(worker)));
    for (const [worker, pid] of said)
      if (!silent.includes(worker) && worker.pid() === pid)
        onLine(`worker ${pid} (${worker.roles.join('+')}) answers again`);
    const isNews = silent.length !== said.size || (silent.length > 0 && ticks % ticksBetween === 0);
    said = new Map(silent.map((worker) => [worker, worker.pid() ?? 0]));
    ticks += 1;
    if (isNews) onSilent(silent.map(factsOf));
  };
  const timer = setInterval(tick, tickMs).unref();
  return () => {
    clearInterval(timer);
    if (said.size > 0) onSilent([]);
  };
}

const factsOf = ({ roles, silence, pid }: HeardWorker): SilentWorker => ({
  pid: pid() ?? 0,
  roles: [...roles],
  silentMs: silence.ms(),
  state: stateOf(pid() ?? 0),
});
