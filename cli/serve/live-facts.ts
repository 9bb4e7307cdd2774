/** What the served page says of a run under way: the same facts as `status`, and those of each model. */
import { readyText } from '../follow/extent.ts';
import { closedText } from '../../activities/calls/accounts/closed-accounts.ts';
import type { FailedCall, ModelCallsNow, Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import { countText } from '../../analysis/report/format.ts';
import type { LiveFacts, LiveModel } from '../../analysis/report/live/facts.ts';
import { leftInFlightTexts } from '../follow/left-in-flight.ts';
import type { Movement } from '../follow/movement.ts';
import {
  batchTexts,
  clockText,
  cutTexts,
  endingText,
  etaText,
  failingTexts,
  isEnding,
  preparingText,
  type ProgressPoint,
} from '../follow/progress-line.ts';
import { ratePerSecond, spendText } from '../follow/progress-line.ts';
import { isSettled, type RunSnapshot, stateDetailOf, stateOf } from '../follow/run-snapshot.ts';
import { cellCounts, shareOf } from '../follow/share-done.ts';
import { longCallTexts, slowedTexts } from '../follow/waits.ts';
import { budgetText, rateText, troubles } from '../follow/watch-screen.ts';

/** What the looks at a run so far have shown of its models. */
export interface ModelMovement {
  readonly calls: readonly ModelCallsNow[];
  /** Answers of each model, oldest first. */
  readonly points: ReadonlyMap<string, readonly ProgressPoint[]>;
  /** The latest failure of each model. */
  readonly failures: ReadonlyMap<string, FailedCall>;
}

/** A model is called slow if it needs this many times as long as the median of those under way. */
const slowTimes = 2;

export function liveFacts(seen: RunSnapshot, movement: Movement, models: ModelMovement, nowMs: number): LiveFacts {
  const { manifest, progress } = seen;
  const { cells, done } = cellCounts(progress);
  return {
    ...{
      run: manifest.runId,
      state: stateOf(seen),
      isUnderWay: !isSettled(seen),
      detail: stateDetailOf(seen),
      done,
      cells,
    },
    figures: figures(seen, movement),
    waiting: isSettled(seen) ? [] : waiting(seen, movement, models.calls, nowMs),
    troubles: [
      ...leftInFlightTexts(seen),
      ...cutTexts(progress),
      ...troubles(progress).filter((text) => text !== noFailure),
    ],
    failures: [...models.failures.values()]
      .toSorted((a, b) => b.atMs - a.atMs)
      .map(({ study, model, answeringModel, step, reason, atMs }) => ({
        ...{ model: answeringModel, reason, at: clockText(atMs) },
        asked: [study, step, ...(answeringModel === model ? [] : [`for ${model}`])].join(', '),
      })),
    models: liveModels(seen, models),
  };
}

const noFailure = 'no call failed';

function figures(seen: RunSnapshot, { extent, points, elapsedMs, pace }: Movement): LiveFacts['figures'] {
  const { progress, manifest, closed } = seen;
  const { cells, done } = cellCounts(progress);
  const isOver = isSettled(seen);
  const eta =
    isOver || done === cells || closed.length > 0 ? [] : [etaText(shareOf(progress, extent), elapsedMs, pace)];
  return [
    { name: 'Answers', text: countText(progress.answered) },
    ...(isOver || isEnding(progress) ? [] : [{ name: 'Rate', text: rateText(points).replace(/^rate …$/, '…') }]),
    ...eta.map((text) => ({ name: 'Left', text: text.replace(/^ETA /, '') })),
    { name: 'Spent', text: `${spendText(progress)}${budgetText(progress, manifest.spec.budget)}` },
    ...(isOver ? [] : [{ name: 'Calls in flight', text: countText(progress.liveIntents) }]),
    { name: 'Stored', text: `${progress.pages.sealed} of ${progress.pages.total} pages` },
  ];
}

function waiting(seen: RunSnapshot, { extent }: Movement, calls: readonly ModelCallsNow[], nowMs: number): string[] {
  const { progress, closed } = seen;
  const isReady = progress.answered > 0 || cellCounts(progress).done > 0;
  const references = `getting ready: ${readyText(progress, extent)}`;
  const preparing = preparingText(progress);
  return [
    ...(isReady ? [] : [references]),
    ...[preparing, endingText(progress)].filter(Boolean),
    ...closed.map(closedText),
    ...batchTexts(progress, nowMs),
    ...failingTexts(progress),
    ...longCallTexts(calls, seen.manifest.spec, nowMs),
    ...slowedTexts(seen.slowed),
  ];
}

function liveModels(seen: RunSnapshot, { calls, points }: ModelMovement): LiveModel[] {
  const isOver = isSettled(seen);
  const callsOf = new Map(calls.map((one) => [one.answeringModel, one]));
  const lanes = Map.groupBy(seen.progress.lanes, ({ model }) => model);
  const rows = [...new Set([...lanes.keys(), ...callsOf.keys()])].map((model) => {
    const own = lanes.get(model) ?? [];
    const [done, cells, answers] = [own.map(cellsDoneOf), own.map(cellsOf), own.map(answersOf)].map(sum) as Counts;
    const now = callsOf.get(model);
    const perSecond = isOver || done === cells ? null : ratePerSecond(points.get(model) ?? []);
    return {
      ...{ model, done, cells, answers, perSecond },
      latencyMs: now?.medianLatencyMs ?? null,
      inFlight: isOver ? 0 : (now?.inFlight ?? 0),
      waitingSince: isOver || now?.oldestSentMs == null ? null : clockText(now.oldestSentMs),
      leftS: secondsLeft({ done, cells, answers, perSecond }),
    };
  });
  return inOrder(rows);
}

type Lane = Progress['lanes'][number];
type Counts = [done: number, cells: number, answers: number];
const cellsDoneOf = ({ cellsDone }: Lane): number => cellsDone;
const cellsOf = ({ cells }: Lane): number => cells;
const answersOf = ({ answered }: Lane): number => answered;

/** At the answers per cell and the rate so far; infinite without an answer, 0 of what has ended. */
function secondsLeft({ done, cells, answers, perSecond }: Pick<LiveModel, 'done' | 'cells' | 'answers' | 'perSecond'>) {
  if (done === cells) return 0;
  if (perSecond === null || perSecond === 0) return Infinity;
  return ((cells - done) * (answers / Math.max(1, done))) / perSecond;
}

function inOrder(rows: readonly (Omit<LiveModel, 'isSlow'> & { readonly leftS: number })[]): LiveModel[] {
  const left = rows.map(({ leftS }) => leftS).filter((seconds) => seconds > 0 && seconds < Infinity);
  const sorted = left.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? Infinity;
  const isSlow = (seconds: number): boolean =>
    left.length > 1 && seconds === sorted.at(-1) && seconds >= slowTimes * middle;
  return rows
    .toSorted((a, b) => b.leftS - a.leftS || a.model.localeCompare(b.model))
    .map(({ leftS, ...row }) => ({ ...row, isSlow: isSlow(leftS) }));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
