/** One line with the progress of a run: cells, rate, ETA, spend. */
import { readyText, referencesText } from './extent.ts';
import type { ClosedAccount } from '../../domain/accounts/account-state.ts';
import { referenceCaseMs } from '../../activities/judging/execution-key.ts';
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import { usdText } from '../../analysis/report/format.ts';
import { counted } from '../../domain/counted.ts';
import { plain } from '../output/terminal.ts';
import { pausingText } from './pausing.ts';
import { cellCounts, type Extent, shareOf } from './share-done.ts';

export interface ProgressPoint {
  readonly atMs: number;
  readonly done: number;
}

/** Answers per second over the last minute; null with fewer than two points. */
export function ratePerSecond(points: readonly ProgressPoint[]): number | null {
  const last = points.at(-1);
  const first = points.find(({ atMs }) => last !== undefined && atMs >= last.atMs - 60_000);
  if (!first || !last || last.atMs - first.atMs < 500) return null;
  return ((last.done - first.done) * 1000) / (last.atMs - first.atMs);
}

/** What the ETA needs besides the share done. */
export interface Pace {
  /** Start of the recent work that the ETA looks at: time since the command started, share done by then. */
  readonly begun: { readonly elapsedMs: number; readonly share: number };
  /** Milliseconds left for programs that take seconds. */
  readonly slowMs: number;
}

const fromTheStart: Pace = { begun: { elapsedMs: 0, share: 0 }, slowMs: 0 };

/** Of a run that goes on. While it pauses, the line says only what that waits for. */
export function progressLine(
  progress: Progress,
  extent: Extent,
  points: readonly ProgressPoint[],
  elapsedMs: number,
  closed: readonly ClosedAccount[] = [],
  pace: Pace = fromTheStart,
  waits: readonly string[] = [],
): string {
  const { cells, done } = cellCounts(progress);
  const pausing = pausingText(progress);
  if (isGettingReady(progress) && done === 0)
    return [
      pausing,
      `getting ready: ${readyText(progress, extent, '/')}`,
      preparingText(progress),
      ...waits,
      durationText(elapsedMs),
    ]
      .filter(Boolean)
      .join(' · ');
  const inFlight = progress.answered === 0 ? `${counted(progress.liveIntents, 'call')} in flight` : '';
  const isOnlyEta = closed.length === 0 && pausing === null;
  const waiting = [preparingText(progress), ...waitingParts(progress, closed, waits)].filter(Boolean);
  const now = [
    ...(pausing === null ? waiting : [preparingText(progress), pausing, ...waits]),
    ...(pausing === null && waiting.length === 0 ? [programsOnlyText(progress, points)] : []),
    ...(done < cells && isOnlyEta ? [etaText(shareOf(progress, extent), elapsedMs, pace)] : []),
    ...(pausing === null ? [endingText(progress)] : []),
  ];
  return factsLine(progress, points, inFlight, now);
}

/** Between two answers of a quick endpoint a run asks nothing for a moment: not worth a word. */
const quietMs = 10_000;

/** Empty while calls are in flight, after the last cell, and until nothing was answered for ten seconds. */
function programsOnlyText(
  progress: Pick<Progress, 'lanes' | 'answered' | 'liveIntents'>,
  points: readonly ProgressPoint[],
): string {
  const last = points.at(-1);
  if (!last || progress.liveIntents > 0 || progress.answered === 0 || isEnding(progress)) return '';
  const since = points.find(({ done }) => done === last.done) ?? last;
  const ms = last.atMs - since.atMs;
  // Earlier looks are not kept.
  const atLeast = since === points[0] ? 'at least ' : '';
  return ms < quietMs ? '' : `nothing to ask for ${atLeast}${durationText(ms)}: programs run and are measured`;
}

/** After the last cell: nothing is asked, and its rate would only fall. */
export function isEnding(progress: Pick<Progress, 'lanes'>): boolean {
  const { cells, done } = cellCounts(progress);
  return cells > 0 && done === cells;
}

/** What goes on after the last cell, which may take minutes; empty before. */
export const endingText = (progress: Pick<Progress, 'lanes'>): string =>
  isEnding(progress) ? 'writing the run’s tables' : '';

/** The line of a run that has ended, finished or not: it waits for nothing, and has no time left. */
export function endLine(progress: Progress, extent: Extent, points: readonly ProgressPoint[]): string {
  return isGettingReady(progress) && cellCounts(progress).done === 0
    ? referencesText(progress.references, extent)
    : factsLine(progress, points);
}

/** @param now what the run waits for, and how long it will take */
function factsLine(
  progress: Progress,
  points: readonly ProgressPoint[],
  inFlight = '',
  now: readonly string[] = [],
): string {
  const { cells, done } = cellCounts(progress);
  const rate = isEnding(progress) ? null : ratePerSecond(points);
  const parts = [
    `${bar(cells === 0 ? 1 : done / cells)} ${done}/${cells} cells`,
    `${progress.answered} answers${rate === null ? '' : ` at ${rate < 10 ? rate.toFixed(1) : rate.toFixed(0)}/s`}`,
    notAskedText(progress),
    inFlight,
    `${progress.verdicts} programs judged`,
    ...now,
    spendText(progress),
    repeatedText(progress),
    ...cutTexts(progress),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Of a run that is judged again; empty if there are none. */
export const notAskedText = ({ notAsked = 0 }: Pick<Progress, 'notAsked'>): string =>
  notAsked === 0 ? '' : `${counted(notAsked, 'question')} that nobody asked`;

const waitingParts = (progress: Progress, closed: readonly ClosedAccount[], waits: readonly string[]): string[] => [
  ...batchTexts(progress).slice(0, 1),
  ...failingTexts(progress).slice(0, 1),
  closedPart(closed),
  ...waits.slice(0, 1),
];

/** Nothing was asked yet: references run, or their tasks are read. */
const isGettingReady = ({ answered, failedCalls, lostCalls, liveIntents, failing, batches }: Progress): boolean =>
  answered + failedCalls + lostCalls + liveIntents + failing.length === 0 && batches === undefined;

/** For each model that is asked in batches: how many answers are waited for, since when, and how many are ready. */
export const batchTexts = ({ batches = [] }: Pick<Progress, 'batches'>, nowMs = Date.now()): string[] =>
  batches.map(({ answeringModel, batches: open, calls, answered, sinceMs, fault }) => {
    const since = `since ${clockText(sinceMs)} (${durationText(Math.max(0, nowMs - sinceMs))})`;
    const asked =
      open === 0
        ? `${counted(calls, 'question')} to ${answeringModel} gathered for a batch ${since}`
        : `waiting for ${counted(calls, 'answer')} of ${answeringModel} in ${counted(open, 'batch', 'batches')} ` +
          `${since}, ${answered} ready at the endpoint`;
    return plain(fault === null ? asked : `${asked}; the last look failed: ${shortened(fault)}`);
  });

/** For each model whose calls all fail: since when it is waited for, and why. */
export const failingTexts = ({ failing }: Pick<Progress, 'failing'>): string[] =>
  failing.map(({ answeringModel, reason, sinceMs }) =>
    plain(`waiting for ${answeringModel} since ${clockText(sinceMs)}: ${shortened(reason)}`),
  );

/** What a run waits for before it asks anything, and since when; empty if nothing takes long. */
export function preparingText({ preparing: [first, ...others] }: Pick<Progress, 'preparing'>): string {
  if (first === undefined) return '';
  const { benchmark, taskId, suite, sinceMs } = first;
  const what =
    suite === null
      ? `mutations of ${taskId} (${benchmark}), which run`
      : `the reference of ${taskId} (${benchmark}, suite ${suite}; ${referenceLimit}), which runs`;
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return plain(`waiting for ${what} since ${clockText(sinceMs)}${more}`);
}

const referenceLimit = `each case may take ${durationText(referenceCaseMs)} of processor time`;
/** With its date, if that is not today's. */
export function clockText(ms: number, nowMs = Date.now()): string {
  const [then, now] = [new Date(ms), new Date(nowMs)];
  const clock = then.toTimeString().slice(0, 8);
  if (then.toDateString() === now.toDateString()) return clock;
  const [year, month, day] = [then.getFullYear(), then.getMonth() + 1, then.getDate()];
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')} ${clock}`;
}

const longestReason = 80;
const shortened = (reason: string): string =>
  reason.length > longestReason ? `${reason.slice(0, longestReason)}…` : reason;

/** Failed attempts at calls that were sent again: one that stops its model, or was the last one, is not. */
export const repeatedCalls = ({ failedCalls, finalFailures = {} }: Progress): number =>
  failedCalls - Object.values(finalFailures).reduce((sum, count) => sum + count, 0);

/** Those attempts, with their most frequent reason: an endpoint that only fails would otherwise look slow. */
function repeatedText(progress: Progress): string {
  const { failuresByReason, finalFailures = {} } = progress;
  const repeated = repeatedCalls(progress);
  if (repeated === 0) return '';
  const timesOf = ([reason, count]: [string, number]): number => count - (finalFailures[reason] ?? 0);
  const [reason = ''] = Object.entries(failuresByReason).toSorted((a, b) => timesOf(b) - timesOf(a))[0] ?? [];
  const short = shortened(reason);
  return `${counted(repeated, 'call')} repeated${short === '' ? '' : `, most often for: ${plain(short)}`}`;
}

/** A limit on answers is worth a warning above this share of a model's answers. */
const cutShare = 0.02;

/** Models of which more answers are cut at a length than a study can ignore. */
export const cutTexts = ({ cutAnswers }: Pick<Progress, 'cutAnswers'>): string[] =>
  cutAnswers.flatMap(({ model, cut, answered }) => {
    if (answered === null) return [`${counted(cut, 'answer')} of ${plain(model)} cut at a length`];
    if (cut <= cutShare * answered) return [];
    const percent = ((100 * cut) / Math.max(cut, answered)).toFixed(0);
    return [`${cut} of ${counted(answered, 'answer')} of ${plain(model)} (${percent} %) cut at a length`];
  });

/** While an account is closed its calls wait, so there is no ETA. */
function closedPart([first]: readonly ClosedAccount[]): string {
  if (first === undefined) return '';
  return plain(`account ${first.endpoint} closed until ${clockText(first.untilMs)} (${shortened(first.why)})`);
}

const barWidth = 16;
const bar = (share: number): string => {
  const filled = Math.round(share * barWidth);
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
};

/**
 * Milliseconds, from the share gained recently; null while too little was gained. At least the time of slow programs,
 * however fast answers come.
 */
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

/** Rounded to 5 s, from two minutes to 30 s, from an hour to 5 minutes: an estimate is no more precise. */
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

/**
 * Calls without usage: those that were lost, and those whose reply or error names none. Calls with an impossible usage
 * are named, since they are charged at less than it says.
 */
export function spendText({ spend, disbelievedCalls }: Pick<Progress, 'spend' | 'disbelievedCalls'>): string {
  const usd = spend.reportedUsd + spend.estimatedUsd;
  const unknown = spend.unknownUsdCalls > 0 ? ` + ${counted(spend.unknownUsdCalls, 'call')} of unknown price` : '';
  const doubts = [
    ...(spend.estimatedUsd > 0 ? [`including at most ${usdText(spend.estimatedUsd)} for calls without usage`] : []),
    ...(disbelievedCalls > 0 ? [`${counted(disbelievedCalls, 'call')} with impossible usage`] : []),
  ];
  return `${usdText(usd)}${doubts.length === 0 ? '' : ` (${doubts.join('; ')})`}${unknown}`;
}
