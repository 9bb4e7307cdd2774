/** The screen of `status --watch`, as a pure function of what was seen and the terminal's size. */
import { readyText } from './extent.ts';
import { shareText } from '../../analysis/report/format.ts';
import { closedText } from '../../activities/calls/accounts/closed-accounts.ts';
import type { ClosedAccount } from '../../domain/accounts/account-state.ts';
import type { FailedCall, Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import { failureText, newestByModel } from './latest-failures.ts';
import {
  cutTexts,
  endingText,
  etaText,
  batchTexts,
  failingTexts,
  isEnding,
  notAskedText,
  type Pace,
  preparingText,
  ratePerSecond,
  type ProgressPoint,
  spendText,
} from './progress-line.ts';
import { cellCounts, type Extent, shareOf } from './share-done.ts';
import { plain } from '../output/terminal.ts';

export interface WatchView {
  readonly runId: string;
  readonly state: string;
  readonly detail: string | null;
  readonly progress: Progress;
  readonly extent: Extent;
  readonly budget: { readonly usd?: number | undefined; readonly tokens?: number | undefined } | undefined;
  /** Counts of answers, oldest first, as far back as the rate looks. */
  readonly points: readonly ProgressPoint[];
  /** Since the watch began. */
  readonly elapsedMs: number;
  readonly pace: Pace;
  readonly closed?: readonly ClosedAccount[];
  /** What calls wait for, in words. */
  readonly waits?: readonly string[];
  /** The newest failed calls, newest first. */
  readonly failures?: readonly FailedCall[];
  /** The time of the look, milliseconds since 1970. */
  readonly nowMs?: number;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

/** At most `rows` lines of at most `columns` characters. */
export function watchLines(view: WatchView, { columns, rows }: ScreenSize): string[] {
  const head = [
    `${view.runId}: ${view.state}${view.detail === null ? '' : ` (${plain(view.detail)})`}`,
    '',
    ...summary(view, columns),
  ];
  const foot = [
    '',
    ...(view.closed ?? []).map((account) => plain(closedText(account))),
    ...cutTexts(view.progress),
    ...batchTexts(view.progress).slice(0, 3),
    ...failingTexts(view.progress).slice(0, 3),
    ...(view.waits ?? []).slice(0, 3),
    ...troubles(view.progress),
    ...newestByModel(view.failures ?? [])
      .slice(0, 3)
      .map((call) => `latest failure: ${failureText(call, view.nowMs ?? 0)}`),
    'Ctrl-C stops watching; the run continues',
  ];
  const room = rows - head.length - foot.length - 2;
  const lines = [...head, '', ...laneLines(view.progress.lanes, columns, Math.max(1, room)), ...foot];
  return lines.map((line) => cut(line, columns)).slice(0, rows);
}

function summary(
  { progress, extent, budget, points, elapsedMs, pace, closed = [] }: WatchView,
  columns: number,
): string[] {
  const { cells, done } = cellCounts(progress);
  const share = cells === 0 ? 1 : done / cells;
  const ready = progress.answered === 0 && done === 0;
  const pages = `${progress.pages.sealed} of ${progress.pages.total} pages sealed`;
  return [
    `${bar(share, Math.min(40, columns - 34))} ${done} of ${cells} cells, ${shareText(share)}`,
    ready
      ? [`getting ready: ${readyText(progress, extent)}`, preparingText(progress)].filter(Boolean).join(' · ')
      : [
          isEnding(progress) ? '' : rateText(points),
          done === cells || closed.length > 0 ? '' : etaText(shareOf(progress, extent), elapsedMs, pace),
          endingText(progress),
          pages,
        ]
          .filter(Boolean)
          .join(' · '),
    [
      `${progress.answered} answers`,
      notAskedText(progress),
      `${progress.verdicts} programs judged`,
      `${progress.liveIntents} calls in flight`,
    ]
      .filter(Boolean)
      .join(' · '),
    `spent ${spendText(progress)}${budgetText(progress, budget)}`,
  ];
}

export function rateText(points: readonly ProgressPoint[]): string {
  const rate = ratePerSecond(points);
  return rate === null ? 'rate …' : `${rate < 10 ? rate.toFixed(1) : rate.toFixed(0)} answers/s`;
}

/** With cents, or with all digits of the spec. */
export const budgetUsd = (usd: number): string => `$${Number(usd.toFixed(2)) === usd ? usd.toFixed(2) : String(usd)}`;

/** Follows the spend: " of $7.00 (25 %)". */
export function budgetText({ spend }: Progress, budget: WatchView['budget']): string {
  const usd = budget?.usd;
  const tokens = budget?.tokens;
  const spentUsd = spend.reportedUsd + spend.estimatedUsd;
  return [
    ...(usd === undefined ? [] : [` of ${budgetUsd(usd)} (${((100 * spentUsd) / usd).toFixed(0)} %)`]),
    ...(tokens === undefined
      ? []
      : [` · ${spend.tokens} of ${tokens} tokens (${((100 * spend.tokens) / tokens).toFixed(0)} %)`]),
    ...(usd === undefined && tokens === undefined ? [', no budget'] : []),
  ].join('');
}

type Lane = Progress['lanes'][number];

/**
 * One line per study and model, in the ledger's order. If there is no room for all,
 * those under way first and a count of the rest.
 */
function laneLines(lanes: readonly Lane[], columns: number, room: number): string[] {
  const fits = lanes.length + 1 <= room;
  const shown = fits ? lanes : lanes.toSorted((a, b) => stageOf(a) - stageOf(b)).slice(0, Math.max(0, room - 2));
  const rest = lanes.filter((lane) => !shown.includes(lane));
  const names = shown.map(({ study, model }) => `${plain(model)}, ${plain(study)}`);
  const width = Math.min(Math.max(0, ...names.map((name) => name.length)), columns - countsWidth);
  const lines = shown.map((lane, index) => laneLine(lane, cut(names[index] ?? '', width).padEnd(width)));
  return rest.length === 0 ? lines : [...lines, restText(rest)];
}

/** Width of a lane's line without its name. */
const countsWidth = 41;

/** Sort key: 0 under way, 1 waiting, 2 done. */
const stageOf = ({ cells, cellsDone, answered }: Lane): number => {
  if (cellsDone === cells) return 2;
  return cellsDone > 0 || answered > 0 ? 0 : 1;
};

function laneLine({ cells, cellsDone, answered }: Lane, name: string): string {
  const counts = `${cellsDone}/${cells}`.padStart(11);
  return `${name}  ${bar(cells === 0 ? 1 : cellsDone / cells, 10)} ${counts}  ${String(answered).padStart(7)} answers`;
}

function restText(rest: readonly Lane[]): string {
  const counts = ['under way', 'waiting', 'done'].map((name, index) => ({
    name,
    lanes: rest.filter((lane) => stageOf(lane) === index),
  }));
  const named = counts.filter(({ lanes }) => lanes.length > 0).map(({ name, lanes }) => `${lanes.length} ${name}`);
  return `and ${rest.length} more: ${named.join(', ')}`;
}

/** Failures by reason, stops and failed pages: a line each, the most frequent reasons first. */
export function troubles({ failuresByReason, unsentByReason, lostCalls, stopped, failedPages }: Progress): string[] {
  const reasons = Object.entries(failuresByReason).toSorted(([, a], [, b]) => b - a);
  const shown = reasons.slice(0, 4).map(([reason, count]) => `${count} ${plain(reason)}`);
  const more = reasons.length > 4 ? [`${reasons.length - 4} more reasons`] : [];
  const lost = lostCalls === 0 ? [] : [`${lostCalls} lost`];
  const calls = [...shown, ...more, ...lost];
  return [
    calls.length === 0 ? 'no call failed' : `failed calls: ${calls.join(' · ')}`,
    ...Object.entries(unsentByReason)
      .slice(0, 2)
      .map(([reason, count]) => `never sent, so not counted: ${count} × ${plain(reason)}`),
    ...stopped
      .slice(0, 2)
      .map(
        ({ model, reason, detail }) => `${model === '*' ? '' : `${plain(model)} `}${plain(reason)}: ${plain(detail)}`,
      ),
    ...failedPages.slice(0, 2).map(({ page, reason }) => `failed page ${page}: ${plain(reason)}`),
    ...(failedPages.length > 2 ? [`and ${failedPages.length - 2} more failed pages`] : []),
  ];
}

function bar(share: number, width: number): string {
  const filled = Math.round(share * Math.max(0, width));
  return `${'█'.repeat(filled)}${'░'.repeat(Math.max(0, width) - filled)}`;
}

/** On one line of at most `width` characters. */
function cut(text: string, width: number): string {
  const characters = [...text.replaceAll(/\s/g, ' ')];
  if (characters.length <= width) return characters.join('');
  return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}
