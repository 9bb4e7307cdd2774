/** Watches a run until it ends or the user has seen enough. The run itself is never touched. */
import { setTimeout as sleep } from 'node:timers/promises';
import { extentOf } from './extent.ts';
import { type LiveScreen, openScreen } from './live-screen.ts';
import { createPace } from './pace.ts';
import { durationText, type Pace, progressLine, type Sight } from './progress-line.ts';
import { cellCounts, type Extent } from './share-done.ts';
import { isSettled, type Seen, stateOf } from './sight.ts';
import { watchLines } from './watch-screen.ts';

const watchMs = 1_000;
/** Between two lines where there is no terminal. */
const lineMs = 10_000;
const sightsKept = 120;

export interface WatchEnd {
  readonly seen: Seen;
  readonly interrupted: boolean;
}

export interface Watched {
  look(): Promise<Seen>;
  /** What is left of programs that take seconds, milliseconds. */
  slowMs(): number;
}

/** On a terminal one screen; else, unless `quiet`, a line now and then. */
export async function watch({ look, slowMs }: Watched, output: NodeJS.WriteStream, quiet: boolean): Promise<WatchEnd> {
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  const screen = output.isTTY && !quiet ? openScreen(output) : null;
  const show = screen === null ? lines(output, quiet) : onScreen(screen);
  const movement = follow(slowMs);
  try {
    for (;;) {
      const seen = await look();
      if (isSettled(seen) || enough.signal.aborted) return { seen, interrupted: !isSettled(seen) };
      show(seen, movement(seen));
      await sleep(watchMs, undefined, { signal: enough.signal }).catch(() => {});
    }
  } finally {
    screen?.close();
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
  }
}

/** What one look shows beside those before it. */
interface Movement {
  readonly extent: Extent;
  readonly sights: readonly Sight[];
  readonly elapsedMs: number;
  readonly pace: Pace;
}

function follow(slowMs: () => number): (seen: Seen) => Movement {
  const startedMs = performance.now();
  const sights: Sight[] = [];
  const pace = createPace(slowMs);
  return ({ manifest, progress }) => {
    const [extent, elapsedMs] = [extentOf(manifest), performance.now() - startedMs];
    sights.push({ atMs: performance.now(), done: progress.answered });
    if (sights.length > sightsKept) sights.shift();
    return { extent, sights, elapsedMs, pace: pace(progress, extent, elapsedMs) };
  };
}

type Show = (seen: Seen, movement: Movement) => void;

function onScreen(screen: LiveScreen): Show {
  return (seen, movement) => {
    const { manifest, progress, closed } = seen;
    const { runId, stateDetail, spec } = manifest;
    const view = { runId, state: stateOf(seen), detail: stateDetail, progress, budget: spec.budget, closed, ...movement };
    screen.show(watchLines(view, screen.size()));
  };
}

/** A line at most every ten seconds, and only when there is news. */
function lines(output: NodeJS.WriteStream, quiet: boolean): Show {
  let [last, lastMs] = ['', -Infinity];
  return ({ progress, closed }, { extent, sights, elapsedMs, pace }) => {
    const { done } = cellCounts(progress);
    const news = `${done} ${progress.answered} ${progress.references}`;
    if (quiet || news === last || elapsedMs - lastMs < lineMs) return;
    [last, lastMs] = [news, elapsedMs];
    output.write(`${progressLine(progress, extent, sights, elapsedMs, closed, pace)} · ${durationText(elapsedMs)}\n`);
  };
}
