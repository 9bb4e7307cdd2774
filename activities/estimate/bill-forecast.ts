/** What a run that is under way will have cost at its end: what is spent, and what is still to be asked at the cost of what was. */
import type { Manifest } from '../../schemas/manifest.ts';
import { type EstimatedLane, estimatePlan } from '../estimate-plan.ts';
import { plannedTasks, revisionsOf } from '../planned-run.ts';
import type { Ledger } from '../storage/ledger.ts';
import { earlierRun } from './earlier-run.ts';

export interface BillForecast {
  readonly spentUsd: number;
  /** Of what is left. Null where a price is unknown. */
  readonly leftUsd: number | null;
  /** The most that it may come to, repeated calls apart. */
  readonly leftAtMostUsd: number | null;
  readonly totalUsd: number | null;
}

/** From here on what a model's calls did cost says more than what they were planned to. */
const measuredCalls = 20;

/** Null where nobody is paid. */
export async function forecastBill(folder: string, manifest: Manifest, ledger: Ledger): Promise<BillForecast | null> {
  const { spec } = manifest;
  if (!spec.models.some(({ provider }) => spec.providers[provider]?.kind === 'openai')) return null;
  const { reportedUsd, estimatedUsd } = ledger.progress().spend;
  const spentUsd = reportedUsd + estimatedUsd;
  if (manifest.state === 'complete') return { spentUsd, leftUsd: 0, leftAtMostUsd: 0, totalUsd: spentUsd };
  const benchmarks = new Map([...(await plannedTasks(folder, manifest))].map(([name, tasks]) => [name, { tasks }]));
  const leftOut = manifest.leftOut ?? {};
  const earlier = earlierRun(ledger, { leftOut, revisions: await revisionsOf(folder, manifest) }, spec);
  const { lanes } = estimatePlan({ spec, benchmarks, earlier, tier: manifest.sandbox.tier, leftOut });
  const leftUsd = total(lanes.map(leftOf));
  const leftAtMostUsd = total(lanes.map(({ usd }) => usd?.high ?? null));
  return { spentUsd, leftUsd, leftAtMostUsd, totalUsd: leftUsd === null ? null : spentUsd + leftUsd };
}

function leftOf({ newCalls, usd, reusedCalls, spentUsd }: EstimatedLane): number | null {
  if (usd === null) return null;
  if (reusedCalls < measuredCalls || spentUsd === 0) return usd.expected;
  return Math.min(usd.high, (newCalls.expected * spentUsd) / reusedCalls);
}

/** Unknown as soon as one is. */
const total = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number | null>((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0);
