/** Ctrl-C on a run: the first stops it and says what it still waits for, the second leaves that. */
import { durationText } from './progress-line.ts';
import type { Terminal } from './terminal.ts';

/** Ctrl-C, a service manager, a terminal that is closed. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const tickMs = 1_000;
/** Programs and pages that end so long after the last call are not waited for: they run again when the run goes on. */
const quietTicks = 10;

export interface Interruption {
  /** Aborted by the first signal: no new call is sent, programs are ended. */
  readonly stop: AbortSignal;
  /** Aborted by the second: calls in flight are not waited for. */
  readonly leave: AbortSignal;
  /** Signals have their usual effect again. */
  close(): void;
}

export interface InterruptionOptions {
  readonly callsInFlight: () => number;
  /** What a call may take at most. */
  readonly callLimitMs: number;
  readonly terminal: Pick<Terminal, 'note' | 'progress'>;
  /** Called at the first signal, before anything is said. */
  readonly onStop: () => void;
}

export function listenForInterruption({ callsInFlight, callLimitMs, terminal, onStop }: InterruptionOptions): Interruption {
  const [stop, leave] = [new AbortController(), new AbortController()];
  let countdown: NodeJS.Timeout | undefined;

  function onSignal(): void {
    if (stop.signal.aborted) {
      leaveCalls();
      return;
    }
    stop.abort();
    onStop();
    const calls = callsInFlight();
    terminal.note(stoppingText(calls, callLimitMs));
    const untilMs = performance.now() + callLimitMs;
    let quiet = 0;
    countdown = setInterval(() => {
      const left = callsInFlight();
      terminal.progress(waitingText(left, untilMs - performance.now()));
      quiet = left === 0 ? quiet + 1 : 0;
      if (quiet >= quietTicks) leaveCalls();
    }, tickMs);
  }

  function leaveCalls(): void {
    if (leave.signal.aborted) return;
    clearInterval(countdown);
    const calls = callsInFlight();
    if (calls > 0) terminal.note(`leaving ${callsText(calls)}: charged at their estimate, and asked again when the run goes on`);
    leave.abort();
  }

  for (const signal of endings) process.on(signal, onSignal);
  return {
    stop: stop.signal,
    leave: leave.signal,
    close: () => {
      clearInterval(countdown);
      for (const signal of endings) process.off(signal, onSignal);
    },
  };
}

const callsText = (calls: number): string => (calls === 1 ? '1 call in flight' : `${calls} calls in flight`);

function stoppingText(calls: number, limitMs: number): string {
  const safe = 'everything answered so far is safe, programs that run now run again later';
  if (calls === 0) return `stopping: no call is in flight, ${safe}`;
  const most = `at most ${durationText(limitMs)}`;
  return `stopping: waiting for ${callsText(calls)}, ${most}; ${safe}. Ctrl-C again leaves the calls: charged at their estimate, and asked again`;
}

const waitingText = (calls: number, leftMs: number): string =>
  calls === 0
    ? 'stopping: what was answered is being kept'
    : `stopping: waiting for ${callsText(calls)}, at most ${durationText(Math.max(0, leftMs))} more; Ctrl-C again leaves them`;
