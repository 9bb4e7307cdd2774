/** What a run has spent on whom, and what its bill will come to. */
import type { BillForecast } from '../activities/estimate/bill-forecast.ts';
import type { LaneSpend } from '../activities/storage/ledger-counts.ts';
import { missing } from '../analysis/report/format.ts';
import type { SolvedCost } from './solved-costs.ts';
import { plain } from './terminal.ts';

export interface RunSpend {
  readonly lanes: readonly LaneSpend[];
  /** By study and model, over the pages that are done; none where nobody was paid. */
  readonly solved: readonly SolvedCost[];
  /** Why there are none, where a page that is done cannot be read. */
  readonly solvedFault: string | null;
  /** Null where nobody is paid. */
  readonly forecast: BillForecast | null;
  /** Why there is none, where the run's plan or tasks cannot be read. */
  readonly forecastFault: string | null;
}

/** Of one study and model, with the roles that were asked for it; null where nothing was paid for. */
export function laneUsdText({ lanes }: RunSpend, study: string, model: string): string | null {
  const own = lanes.filter((lane) => lane.study === study && lane.model === model);
  if (!own.some(isPaidLane)) return null;
  return usdText(own);
}

/** What a task that is solved has cost: `$0.020 ($0.013 to $0.040; 12.5 of 20 tasks)`; a dash before any page is done. */
export function solvedUsdText({ solved }: RunSpend, study: string, model: string): string {
  const own = solved.find((one) => one.study === study && one.model === model);
  if (own === undefined) return missing;
  const { usd, interval, tasks } = own;
  const count = `${Number(own.solved.toFixed(1))} of ${tasks} tasks`;
  const range = interval === null ? '' : `${dollars(interval.lo)} to ${interval.hi === null ? 'no limit' : dollars(interval.hi)}; `;
  return `${usd === null ? missing : dollars(usd)} (${range}${count})`;
}

/** A line for each model that was paid, and one for the forecast. */
export function spendLines({ lanes, solvedFault, forecast, forecastFault }: RunSpend): string[] {
  const byModel = [...Map.groupBy(lanes, ({ answeringModel }) => answeringModel)];
  const paid = byModel.filter(([, own]) => own.some(isPaidLane));
  return [
    ...paid.map(([model, own]) => `paid for ${plain(model)}: ${usdText(own)} in ${callsOf(own)} calls`),
    ...(solvedFault === null ? [] : [`cost per solved task: none (${plain(solvedFault)})`]),
    ...(forecast === null ? [] : [forecastText(forecast)]),
    ...(forecastFault === null ? [] : [`forecast of the bill: none (${plain(forecastFault)})`]),
  ];
}

export const isPaidLane = (lane: LaneSpend): boolean => usdOf(lane) > 0 || lane.unknownUsdCalls > 0;
const usdOf = ({ reportedUsd, estimatedUsd }: LaneSpend): number => reportedUsd + estimatedUsd;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const callsOf = (lanes: readonly LaneSpend[]): number => sum(lanes.map(({ answered, failed, lost }) => answered + failed + lost));

function usdText(lanes: readonly LaneSpend[]): string {
  const unknown = sum(lanes.map(({ unknownUsdCalls }) => unknownUsdCalls));
  return `${dollars(sum(lanes.map(usdOf)))}${unknown === 0 ? '' : ` + ${unknown} calls of unknown price`}`;
}

function forecastText({ spentUsd, leftUsd, leftAtMostUsd, totalUsd }: BillForecast): string {
  if (totalUsd === null || leftUsd === null) return 'forecast of the bill: none, since a price is unknown';
  if (leftUsd === 0) return `forecast of the bill: ${dollars(totalUsd)}, nothing is left to be paid`;
  const most = leftAtMostUsd === null ? '' : `, at most ${dollars(leftAtMostUsd)}`;
  return `forecast of the bill: ${dollars(totalUsd)} (${dollars(spentUsd)} spent, ${dollars(leftUsd)} expected for what is left${most})`;
}

/** Cents, and of less than one the digits that tell it from nothing. */
const dollars = (usd: number): string => `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`;
