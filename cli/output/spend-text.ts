/** What a run has spent on each model, and the forecast of its bill. */
import type { BillForecast } from '../../activities/estimate/bill-forecast.ts';
import type { LaneSpend, ReusedAnswers } from '../../activities/storage/ledger/ledger-counts.ts';
import { missing, usdText, usdTextUp } from '../../analysis/report/format.ts';
import { counted } from '../../domain/counted.ts';
import { thinkingText } from '../../activities/estimate/unlimited-calls.ts';
import type { SolvedCost } from './solved-costs.ts';
import { plain } from './terminal.ts';

export interface RunSpend {
  /** Their answered calls include the reused answers, which cost nothing. */
  readonly lanes: readonly LaneSpend[];
  /** Answers copied from other runs; empty if the spec names none. */
  readonly reused: readonly ReusedAnswers[];
  /** By study and model, over the finished pages; empty if nothing was paid for. */
  readonly solved: readonly SolvedCost[];
  /** Why `solved` is empty, if a finished page cannot be read. */
  readonly solvedFault: string | null;
  /** Null if nothing is to be paid. */
  readonly forecast: BillForecast | null;
  /** Why there is no forecast, if the run's plan or tasks cannot be read. */
  readonly forecastFault: string | null;
}

/** Spend of one study and model, including calls in other roles (judge, rewriter) for it; null if nothing was paid. */
export function laneUsdText({ lanes }: RunSpend, study: string, model: string): string | null {
  const own = lanes.filter((lane) => lane.study === study && lane.model === model);
  if (!own.some(isPaidLane)) return null;
  return lanesUsdText(own);
}

/**
 * Cost per solved task: `$0.020 ($0.013 to $0.040; 12.5 of 20 tasks)`; a dash before any page is finished.
 */
export function solvedUsdText({ solved }: RunSpend, study: string, model: string): string {
  const own = solved.find((one) => one.study === study && one.model === model);
  if (own === undefined) return missing;
  const { usd, interval, tasks } = own;
  const count = `${Number(own.solved.toFixed(1))} of ${tasks} tasks`;
  const range =
    interval === null ? '' : `${usdText(interval.lo)} to ${interval.hi === null ? 'no limit' : usdText(interval.hi)}; `;
  const value = usd === null ? missing : `${own.isAtMost ? 'at most ' : ''}${usdText(usd)}`;
  return `${value} (${range}${count})`;
}

/** A line for each paid model, one for each whose answers were reused, and one for the forecast. */
export function spendLines({ lanes, reused, solvedFault, forecast, forecastFault }: RunSpend): string[] {
  const byModel = [...Map.groupBy(lanes, ({ answeringModel }) => answeringModel)];
  const paid = byModel.filter(([, own]) => own.some(isPaidLane));
  const copied = Map.groupBy(reused, ({ answeringModel }) => answeringModel);
  const reusedOf = (model: string): number => sum((copied.get(model) ?? []).map(({ answers }) => answers));
  return [
    ...paid.map(
      ([model, own]) => `paid for ${plain(model)}: ${lanesUsdText(own)} in ${callsText(own, reusedOf(model))}`,
    ),
    ...[...copied.keys()].map(
      (model) => `reused for ${plain(model)}: ${counted(reusedOf(model), 'answer')} of other runs, which paid for them`,
    ),
    ...(solvedFault === null ? [] : [`cost per solved task: none (${plain(solvedFault)})`]),
    ...(forecast === null ? [] : [forecastText(forecast), ...(forecast.unlimited?.known ?? []).map(knownText)]),
    ...(forecastFault === null ? [] : [`forecast of the bill: none (${plain(forecastFault)})`]),
  ];
}

/** What the ledger's figures lack since replies were missing from it. */
export const acceptedLossesText = (replies: number): string =>
  `spend is higher than shown: ${counted(replies, 'paid reply', 'paid replies')} of this run were lost, and what ` +
  'they cost was lost with them, so that no figure of spend and no budget counts it';

export const isPaidLane = (lane: LaneSpend): boolean => usdOf(lane) > 0 || lane.unknownUsdCalls > 0;
const usdOf = ({ reportedUsd, estimatedUsd }: LaneSpend): number => reportedUsd + estimatedUsd;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Failed calls apart: not all of them are billed. */
function callsText(lanes: readonly LaneSpend[], reused: number): string {
  const answered = sum(lanes.map((lane) => lane.answered)) - reused;
  const failed = sum(lanes.map((lane) => lane.failed + lane.lost));
  if (failed === 0) return counted(answered, 'call');
  return `${counted(answered, 'answered call')} and ${counted(failed, 'failed one')} (not every failed call is billed)`;
}

function lanesUsdText(lanes: readonly LaneSpend[]): string {
  const unknown = sum(lanes.map(({ unknownUsdCalls }) => unknownUsdCalls));
  const more = unknown === 0 ? '' : ` + ${counted(unknown, 'call')} of unknown price`;
  return `${usdText(sum(lanes.map(usdOf)))}${more}`;
}

const knownText = (known: Parameters<typeof thinkingText>[0]): string => plain(thinkingText(known));

function forecastText(forecast: BillForecast): string {
  const { spentUsd, leftUsd, totalUsd } = forecast;
  if (totalUsd === null || leftUsd === null) return 'forecast of the bill: none, because a price is unknown';
  if (leftUsd === 0) return `forecast of the bill: ${usdText(totalUsd)}, nothing left to pay`;
  return (
    `forecast of the bill: ${usdText(totalUsd)} (${usdText(spentUsd)} spent, ` +
    `${usdText(leftUsd)} expected for the rest${mostText(forecast)})`
  );
}

/** Rounded up by what the rounding of both amounts takes away: a budget of their sum has room for every call. */
function mostText({ spentUsd, leftAtMostUsd, unbounded = [], unlimited }: BillForecast): string {
  if (unbounded.length > 0) return `, no maximum: ${unbounded.map(plain).join(', ')} counts more tokens than allowed`;
  if (leftAtMostUsd === null) return '';
  const unshownUsd = Math.max(0, spentUsd - Number(usdText(spentUsd).slice(1)));
  const condition = unlimited?.otherwiseUsd == null ? '' : ' unless a model thinks';
  return `, at most ${usdTextUp(leftAtMostUsd + unshownUsd)}${condition}`;
}
