/** What a run has spent on whom, and what its bill will come to. */
import type { BillForecast } from '../activities/estimate/bill-forecast.ts';
import type { LaneSpend } from '../activities/storage/ledger.ts';
import { plain } from './terminal.ts';

export interface RunSpend {
  readonly lanes: readonly LaneSpend[];
  /** Null where nobody is paid. */
  readonly forecast: BillForecast | null;
  /** Why there is none, where the run's plan or tasks cannot be read. */
  readonly forecastFault: string | null;
}

/** Of one study and model, with the roles that were asked for it; null where nothing was paid for. */
export function laneUsdText({ lanes }: RunSpend, study: string, model: string): string | null {
  const own = lanes.filter((lane) => lane.study === study && lane.model === model);
  if (own.every((lane) => usdOf(lane) === 0 && lane.unknownUsdCalls === 0)) return null;
  return usdText(own);
}

/** A line for each model that was paid, and one for the forecast. */
export function spendLines({ lanes, forecast, forecastFault }: RunSpend): string[] {
  const byModel = [...Map.groupBy(lanes, ({ answeringModel }) => answeringModel)];
  const paid = byModel.filter(([, own]) => own.some((lane) => usdOf(lane) > 0 || lane.unknownUsdCalls > 0));
  return [
    ...paid.map(([model, own]) => `paid for ${plain(model)}: ${usdText(own)} in ${callsOf(own)} calls`),
    ...(forecast === null ? [] : [forecastText(forecast)]),
    ...(forecastFault === null ? [] : [`forecast of the bill: none (${plain(forecastFault)})`]),
  ];
}

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
