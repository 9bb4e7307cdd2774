/** One line that says how far a run is: cells, rate, ETA, spend. */
import type { ClosedAccount } from '../domain/account-state.ts';
import type { Progress } from '../activities/storage/ledger-counts.ts';
import { cellCounts, type Extent, shareOf } from './share-done.ts';

export interface Sight {
  readonly atMs: number;
  readonly done: number;
}

/** The rate over the last minute of sightings; null before there are two. */
export function ratePerSecond(sights: readonly Sight[]): number | null {
  const last = sights.at(-1);
  const first = sights.find(({ atMs }) => last !== undefined && atMs >= last.atMs - 60_000);
  if (!first || !last || last.atMs - first.atMs < 500) return null;
  return ((last.done - first.done) * 1000) / (last.atMs - first.atMs);
}

/** What an ETA is made of beside the share done. */
export interface Pace {
  /** When the recent part of the work that this command has seen began, and the share that was done by then. */
  readonly begun: { readonly elapsedMs: number; readonly share: number };
  /** What is left of programs that take seconds, milliseconds. */
  readonly slowMs: number;
}

const fromTheStart: Pace = { begun: { elapsedMs: 0, share: 0 }, slowMs: 0 };

export function progressLine(
  progress: Progress,
  extent: Extent,
  sights: readonly Sight[],
  elapsedMs: number,
  closed: readonly ClosedAccount[] = [],
  pace: Pace = fromTheStart,
): string {
  const { cells, done } = cellCounts(progress);
  if (progress.answered === 0 && done === 0)
    return `getting ready: ${progress.references}/${extent.references} references run · ${durationText(elapsedMs)}`;
  const share = cells === 0 ? 1 : done / cells;
  const rate = ratePerSecond(sights);
  const parts = [
    `${bar(share)} ${done}/${cells} cells`,
    `${progress.answered} answers${rate === null ? '' : ` at ${rate < 10 ? rate.toFixed(1) : rate.toFixed(0)}/s`}`,
    `${progress.verdicts} programs judged`,
    closedPart(closed),
    done === cells || closed.length > 0 ? '' : etaText(shareOf(progress, extent), elapsedMs, pace),
    spendText(progress),
    ...(progress.failedCalls > 0 ? [`${progress.failedCalls} calls repeated`] : []),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Nothing moves meanwhile, and no time can be given. */
function closedPart([first]: readonly ClosedAccount[]): string {
  if (first === undefined) return '';
  return `account ${first.endpoint} closed until ${new Date(first.untilMs).toTimeString().slice(0, 8)}`;
}

const barWidth = 16;
const bar = (share: number): string => {
  const filled = Math.round(share * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
};

/** Milliseconds, from the share gained of late; null while too little is gained. Slow programs take their time however fast answers come. */
export function etaMs(share: number, elapsedMs: number, { begun, slowMs }: Pace): number | null {
  const [gained, tookMs] = [share - begun.share, elapsedMs - begun.elapsedMs];
  if (gained < 0.02 || tookMs < 3_000) return null;
  return rounded(Math.max(slowMs, (tookMs / gained) * (1 - share)));
}

export function etaText(share: number, elapsedMs: number, pace: Pace): string {
  const ms = etaMs(share, elapsedMs, pace);
  if (ms !== null) return `ETA ${durationText(ms)}`;
  return pace.slowMs > 0 ? `ETA at least ${durationText(pace.slowMs)}` : 'ETA …';
}

/** To what an estimate can be trusted for: 5 s, 30 s from two minutes on, 5 minutes from an hour on. */
function rounded(ms: number): number {
  const stepMs = ms < 120_000 ? 5_000 : ms < 3_600_000 ? 30_000 : 300_000;
  return Math.max(stepMs, Math.round(ms / stepMs) * stepMs);
}

export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function spendText({ spend }: Progress): string {
  const usd = spend.reportedUsd + spend.estimatedUsd;
  const unknown = spend.unknownUsdCalls > 0 ? ` + ${spend.unknownUsdCalls} calls of unknown price` : '';
  const estimated = spend.estimatedUsd > 0 ? ` (of it $${spend.estimatedUsd.toFixed(2)} estimated for lost calls)` : '';
  return `$${usd.toFixed(2)}${estimated}${unknown}`;
}
