/** Watches a run until it ends or the user has seen enough. The run itself is never touched. */
import { setTimeout as sleep } from 'node:timers/promises';
import { extentOf } from './extent.ts';
import { type LiveScreen, openScreen } from './live-screen.ts';
import { cellCounts, durationText, progressLine } from './progress-line.ts';
import { isSettled, type Seen, stateOf } from './sight.ts';
import { shareDone, type WatchSight, watchLines } from './watch-screen.ts';

const watchMs = 1_000;
/** Between two lines where there is no terminal. */
const lineMs = 10_000;
const sightsKept = 120;

export interface WatchEnd {
  readonly seen: Seen;
  readonly interrupted: boolean;
}

/** On a terminal one screen; else, unless `quiet`, a line now and then. */
export async function watch(look: () => Promise<Seen>, output: NodeJS.WriteStream, quiet: boolean): Promise<WatchEnd> {
  const enough = new AbortController();
  const stop = (): void => enough.abort();
  process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
  const screen = output.isTTY && !quiet ? openScreen(output) : null;
  const show = screen === null ? lines(output, quiet) : onScreen(screen);
  try {
    for (;;) {
      const seen = await look();
      if (isSettled(seen) || enough.signal.aborted) return { seen, interrupted: !isSettled(seen) };
      show(seen);
      await sleep(watchMs, undefined, { signal: enough.signal }).catch(() => {});
    }
  } finally {
    screen?.close();
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
  }
}

type Show = (seen: Seen) => void;

function onScreen(screen: LiveScreen): Show {
  const sight = sightings();
  return (seen) => {
    const { manifest, progress } = seen;
    const extent = extentOf(manifest, progress);
    const { runId, stateDetail, spec } = manifest;
    const view = {
      runId,
      state: stateOf(seen),
      detail: stateDetail,
      progress,
      extent,
      budget: spec.budget,
      sights: sight(seen),
      closed: seen.closed,
    };
    screen.show(watchLines(view, screen.size()));
  };
}

/** A line at most every ten seconds, and only when there is news. */
function lines(output: NodeJS.WriteStream, quiet: boolean): Show {
  const sight = sightings();
  const startedMs = performance.now();
  let [last, lastMs] = ['', -Infinity];
  return (seen) => {
    const sights = sight(seen);
    const { progress } = seen;
    const { done } = cellCounts(progress);
    const news = `${done} ${progress.answered} ${progress.references}`;
    const nowMs = performance.now();
    if (quiet || news === last || nowMs - lastMs < lineMs) return;
    [last, lastMs] = [news, nowMs];
    output.write(
      `${progressLine(progress, extentOf(seen.manifest, progress), sights, nowMs - startedMs, seen.closed)} · ${durationText(nowMs - startedMs)}\n`,
    );
  };
}

function sightings(): (seen: Seen) => readonly WatchSight[] {
  const sights: WatchSight[] = [];
  return ({ manifest, progress }) => {
    sights.push({ atMs: performance.now(), done: progress.answered, share: shareDone(progress, extentOf(manifest, progress)) });
    if (sights.length > sightsKept) sights.shift();
    return sights;
  };
}
