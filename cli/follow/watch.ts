/** Watches a run until it ends or the user presses Ctrl-C. Never changes the run. */
import { setTimeout as sleep } from 'node:timers/promises';
import { failureText } from './latest-failures.ts';
import { type LiveScreen, openScreen } from './live-screen.ts';
import { followMovement, type Movement } from './movement.ts';
import { durationText, endLine, progressLine } from './progress-line.ts';
import { cellCounts } from './share-done.ts';
import { isSettled, type RunSnapshot, stateDetailOf, stateOf } from './run-snapshot.ts';
import { waitTexts } from './waits.ts';
import { watchLines } from './watch-screen.ts';

const watchMs = 1_000;
/** Time between two lines where there is no terminal. */
const lineMs = 10_000;

export interface WatchEnd {
  readonly seen: RunSnapshot;
  readonly interrupted: boolean;
}

export interface Watched {
  look(): Promise<RunSnapshot>;
  /** Milliseconds left for programs that take seconds. */
  slowMs(): Promise<number>;
}

/** Shows a live screen on a terminal; elsewhere, unless `quiet`, a line at most every ten seconds. */
export async function watch({ look, slowMs }: Watched, output: NodeJS.WriteStream, quiet: boolean): Promise<WatchEnd> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  const screen = output.isTTY && !quiet ? openScreen(output) : null;
  const show = screen === null ? lines(output, quiet) : onScreen(screen);
  const movement = followMovement(slowMs);
  try {
    for (;;) {
      const seen = await look();
      if (isSettled(seen) || stopped.signal.aborted) return { seen, interrupted: !isSettled(seen) };
      show(seen, await movement(seen));
      await sleep(watchMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  } finally {
    screen?.close();
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
  }
}

type Show = (seen: RunSnapshot, movement: Movement) => void;

function onScreen(screen: LiveScreen): Show {
  return (seen, movement) => {
    const { manifest, progress, closed, failures } = seen;
    const { runId, spec } = manifest;
    const view = {
      runId,
      state: stateOf(seen),
      detail: stateDetailOf(seen),
      progress,
      budget: spec.budget,
      closed,
      waits: waitTexts(seen),
      failures,
      nowMs: Date.now(),
      ...movement,
    };
    screen.show(watchLines(view, screen.size()));
  };
}

/** A line at most every ten seconds, and only if something changed; another for a failure since the last one. */
function lines(output: NodeJS.WriteStream, quiet: boolean): Show {
  let [last, lastMs] = ['', -Infinity];
  let failedMs = 0;
  return (seen, { extent, points, elapsedMs, pace }) => {
    const { progress, closed, failures } = seen;
    const { done } = cellCounts(progress);
    const news = [done, progress.answered, progress.references, progress.failedCalls, ...waitTexts(seen)].join(' ');
    if (quiet || news === last || elapsedMs - lastMs < lineMs) return;
    [last, lastMs] = [news, elapsedMs];
    const line = isSettled(seen)
      ? endLine(progress, extent, points)
      : progressLine(progress, extent, points, elapsedMs, closed, pace, waitTexts(seen));
    output.write(`${line} · ${durationText(elapsedMs)}\n`);
    const [failure] = failures;
    if (failure === undefined || failure.atMs <= failedMs) return;
    failedMs = failure.atMs;
    output.write(`latest failure: ${failureText(failure, Date.now())}\n`);
  };
}
