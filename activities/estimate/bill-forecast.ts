/**
 * Forecasts the final cost of a run in progress: the amount spent, plus the remaining calls at the average cost so far.
 */
import { providerFacts } from '../../domain/spec/provider-facts.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { UnlimitedCalls } from './unlimited-calls.ts';
import { type EstimatedLane, estimatePlan } from './estimate-plan.ts';
import { plannedTasks, revisionsOf } from '../runs/planned-run.ts';
import type { ReusedAnswers } from '../storage/ledger/ledger-counts.ts';
import type { RunHome } from '../storage/home/run-home.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import { earlierRun } from './earlier-run.ts';

export interface BillForecast {
  readonly spentUsd: number;
  /** Expected cost of the remaining calls. Null if a price is unknown. */
  readonly leftUsd: number | null;
  /** Highest cost of the remaining calls, without repeated calls. Null if unknown. */
  readonly leftAtMostUsd: number | null;
  /** Models that count more tokens than they are allowed: there is no highest cost. */
  readonly unbounded?: readonly string[];
  readonly unlimited?: UnlimitedCalls;
  readonly totalUsd: number | null;
}

/** From this many calls on, a model's actual cost per call is used instead of the planned one. */
const measuredCalls = 20;

/** Null if no model is paid. */
export async function forecastBill(home: RunHome, manifest: Manifest, ledger: Ledger): Promise<BillForecast | null> {
  const { spec } = manifest;
  if (!spec.models.some((model) => providerFacts(spec, model).paid)) return null;
  const { reportedUsd, estimatedUsd } = (await ledger.progress()).spend;
  const spentUsd = reportedUsd + estimatedUsd;
  if (manifest.state === 'complete') return { spentUsd, leftUsd: 0, leftAtMostUsd: 0, totalUsd: spentUsd };
  const benchmarks = new Map([...(await plannedTasks(home, manifest))].map(([name, tasks]) => [name, { tasks }]));
  const leftOut = manifest.leftOut ?? {};
  const earlier = await earlierRun(ledger, { leftOut, revisions: await revisionsOf(home, manifest) }, spec);
  const { lanes, unlimited } = estimatePlan({ spec, benchmarks, earlier, tier: manifest.sandbox.tier, leftOut });
  const copied = spec.reuse.length === 0 ? [] : await ledger.reusedByLane();
  const left = lanes.map((lane) => leftOf(lane, copiedTo(lane, copied)));
  const leftUsd = total(left);
  const unbounded = spec.models.flatMap(({ id }) => (earlier.thoughts.exceeds(id) ? [id] : []));
  // Answers that cost more than what is left allows, as of a model that was dearer before: no less is promised.
  const most = lanes.map(({ usd }, index) => (usd === null ? null : Math.max(usd.high, left[index] ?? 0)));
  const leftAtMostUsd = unbounded.length > 0 ? null : total(most);
  const totalUsd = leftUsd === null ? null : spentUsd + leftUsd;
  return { spentUsd, leftUsd, leftAtMostUsd, totalUsd, unbounded, unlimited };
}

/** Answers of other runs, which cost nothing here. */
const copiedTo = ({ study, model, answeringModel }: EstimatedLane, copied: readonly ReusedAnswers[]): number =>
  copied
    .filter((one) => one.study === study && one.answeringModel === answeringModel)
    .filter((one) => model === null || one.model === model)
    .reduce((sum, { answers }) => sum + answers, 0);

function leftOf({ newAnswers, usd, reusedCalls, spentUsd }: EstimatedLane, copied: number): number | null {
  if (usd === null) return null;
  const paidCalls = reusedCalls - copied;
  if (paidCalls < measuredCalls || spentUsd === 0) return usd.expected;
  return (newAnswers.expected * spentUsd) / paidCalls;
}

/** Null (unknown) if any amount is. */
const total = (amounts: readonly (number | null)[]): number | null =>
  amounts.reduce<number | null>((sum, amount) => (sum === null || amount === null ? null : sum + amount), 0);
