/**
 * The bill of a run with very many answers, without its plan: what is left costs per cell what the cells before cost.
 * Calls of cells at work count as those of done ones, so with few pages done the forecast is somewhat too high.
 */
import type { LaneSpend, Progress } from '../storage/ledger/ledger-counts.ts';
import type { BillForecast } from './bill-forecast.ts';

interface Lane {
  readonly study: string;
  readonly left: number;
  readonly done: number;
  /** Null if a price is unknown. */
  readonly usd: number | null;
}

/** Null if nothing was paid. */
export function forecastByCells({ lanes, spend }: Progress, paid: readonly LaneSpend[]): BillForecast | null {
  const spentUsd = spend.reportedUsd + spend.estimatedUsd;
  if (spentUsd === 0 && spend.unknownUsdCalls === 0) return null;
  const found = lanes.map(({ study, model, cells, cellsDone }): Lane => {
    const own = paid.filter((lane) => lane.study === study && lane.model === model);
    const isKnown = own.every(({ unknownUsdCalls }) => unknownUsdCalls === 0);
    return { study, left: cells - cellsDone, done: cellsDone, usd: isKnown ? usdOf(own) : null };
  });
  const leftUsd = found.reduce<number | null>((sum, lane) => {
    const usd = leftOf(lane, found);
    return sum === null || usd === null ? null : sum + usd;
  }, 0);
  return { spentUsd, leftUsd, leftAtMostUsd: null, totalUsd: leftUsd === null ? null : spentUsd + leftUsd };
}

const usdOf = (lanes: readonly LaneSpend[]): number =>
  lanes.reduce((sum, { reportedUsd, estimatedUsd }) => sum + reportedUsd + estimatedUsd, 0);

/** A lane that has done nothing yet costs as the others of its study do, or else as those of the run. */
function leftOf(lane: Lane, all: readonly Lane[]): number | null {
  if (lane.left === 0) return 0;
  const ofStudy = all.filter(({ study, done }) => study === lane.study && done > 0);
  const like = lane.done > 0 ? [lane] : ofStudy.length > 0 ? ofStudy : all.filter(({ done }) => done > 0);
  const done = like.reduce((sum, one) => sum + one.done, 0);
  if (done === 0 || like.some(({ usd }) => usd === null)) return null;
  return (lane.left * like.reduce((sum, { usd }) => sum + (usd ?? 0), 0)) / done;
}
