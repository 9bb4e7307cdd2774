/** Ctrl-C on a run: the first stops it and waits for calls in flight, the second does not wait any longer. */
import { counted } from '../../domain/counted.ts';
import { durationText } from './progress-line.ts';
import type { Terminal } from '../output/terminal.ts';

/** Sent by Ctrl-C, by a service manager, by a closing terminal. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const tickMs = 250;
/**
 * How long to wait for programs and pages after the last call, whose answer is stored by then; what is not finished
 * runs again on resume. With the end of the server, the command ends within two seconds of that answer.
 */
const quietMs = 500;

export interface Interruption {
  /** Aborted by the first signal: no new call is sent, programs are stopped. */
  readonly stop: AbortSignal;
  /** Aborted by the second: calls in flight are not waited for. */
  readonly leave: AbortSignal;
  /** Gives the signals their usual effect back. */
  close(): void;
}

export interface InterruptionOptions {
  readonly callsInFlight: () => Promise<number>;
  /** Longest time that a call may take. */
  readonly callLimitMs: number;
  readonly terminal: Pick<Terminal, 'note' | 'progress'>;
  /** Called at the first signal, before any message. */
  readonly onStop: () => void;
}

export function listenForInterruption({
  callsInFlight,
  callLimitMs,
  terminal,
  onStop,
}: InterruptionOptions): Interruption {
  const [stop, leave] = [new AbortController(), new AbortController()];
  let countdown: NodeJS.Timeout | undefined;
  let isLeaving = false;
  let isClosed = false;

  function onSignal(): void {
    if (stop.signal.aborted) {
      void leaveCalls();
      return;
    }
    stop.abort();
    onStop();
    void countDown();
  }

  async function countDown(): Promise<void> {
    terminal.note(stoppingText(await callsInFlight(), callLimitMs));
    const untilMs = performance.now() + callLimitMs;
    let quiet = 0;
    const look = async (): Promise<void> => {
      const left = await callsInFlight();
      if (isLeaving || isClosed) return;
      terminal.progress(waitingText(left, untilMs - performance.now()));
      quiet = left === 0 ? quiet + 1 : 0;
      if (quiet * tickMs >= quietMs) await leaveCalls();
    };
    if (!isLeaving && !isClosed) countdown = setInterval(() => void look(), tickMs);
  }

  async function leaveCalls(): Promise<void> {
    if (isLeaving) return;
    isLeaving = true;
    clearInterval(countdown);
    try {
      const calls = await callsInFlight();
      if (calls > 0) terminal.note(leavingText(calls));
    } finally {
      leave.abort();
    }
  }

  for (const signal of stopSignals) process.on(signal, onSignal);
  return {
    stop: stop.signal,
    leave: leave.signal,
    close: () => {
      isClosed = true;
      clearInterval(countdown);
      for (const signal of stopSignals) process.off(signal, onSignal);
    },
  };
}

const callsText = (calls: number): string => `${counted(calls, 'call')} in flight`;

function stoppingText(calls: number, limitMs: number): string {
  const safe = 'all answers so far are safe; stopped programs run again on resume';
  if (calls === 0) return `stopping: no call in flight, stopping programs, at most ${quietMs / 1000} s; ${safe}`;
  const most = `at most ${durationText(limitMs)}`;
  return (
    `stopping: waiting for ${callsText(calls)}, ${most}; ${safe}. Ctrl-C again stops waiting: the calls are charged ` +
    'at the most that they can cost, and sent again on resume'
  );
}

const leavingText = (calls: number): string =>
  `not waiting for ${callsText(calls)}: each is charged at the most that it can cost, and sent again when the run is ` +
  'resumed';

const waitingText = (calls: number, leftMs: number): string =>
  calls === 0
    ? 'stopping: storing the last answers'
    : `stopping: waiting for ${callsText(calls)}, at most ${durationText(Math.max(0, leftMs))} ` +
      'more; Ctrl-C again stops waiting';
