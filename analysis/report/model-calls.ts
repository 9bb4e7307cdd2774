import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';

/** Calls and spend of one answering model in one role. Unused, failed and lost calls are counted and paid too. */
export interface ModelCalls {
  readonly run: string;
  readonly model: string;
  /** study, or the role of another model: judge, ... */
  readonly role: string;
  readonly answered: number;
  readonly failed: number;
  readonly lost: number;
  /** Requests for several answers that were refused for their `n`. */
  readonly nRefused: number;
  /** Copied from an earlier run instead of asked. */
  readonly reused: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** USD as reported by the provider's usage, and as estimated by us for lost calls. */
  readonly reportedUsd: number;
  readonly estimatedUsd: number;
  /** Calls whose price is unknown: their cost is in neither sum. */
  readonly unpriced: number;
  /** Names under which the endpoint answered; more than one means that the model changed during the run. */
  readonly returnedModels: readonly string[];
  /** Fingerprints of the versions that answered, likewise. */
  readonly fingerprints: readonly string[];
}

export async function modelCalls(database: RunDatabase): Promise<ModelCalls[]> {
  const rows = await records(database, callsSql);
  return rows.map((row) => ({
    run: textOf(row, 'run'),
    model: textOf(row, 'model'),
    role: textOf(row, 'role'),
    answered: numberOf(row, 'answered'),
    failed: numberOf(row, 'failed'),
    lost: numberOf(row, 'lost'),
    nRefused: numberOf(row, 'n_refused'),
    reused: numberOf(row, 'reused'),
    inputTokens: numberOf(row, 'input_tokens'),
    outputTokens: numberOf(row, 'output_tokens'),
    reportedUsd: numberOf(row, 'reported_usd'),
    estimatedUsd: numberOf(row, 'estimated_usd'),
    unpriced: numberOf(row, 'unpriced'),
    returnedModels: row['returned_models'] as unknown as readonly string[],
    fingerprints: row['fingerprints'] as unknown as readonly string[],
  }));
}

/** Sums in call order, so that their last digits do not depend on threads. */
const callsSql = `
  SELECT run, answering_model AS model, role,
    count(*) FILTER (status = 'answered') AS answered,
    count(*) FILTER (status = 'failed') AS failed,
    count(*) FILTER (status = 'lost') AS lost,
    count(*) FILTER (failure LIKE 'n refused:%') AS n_refused,
    count(*) FILTER (origin IS NOT NULL) AS reused,
    coalesce(sum(input_tokens), 0)::BIGINT AS input_tokens,
    coalesce(sum(output_tokens), 0)::BIGINT AS output_tokens,
    coalesce(sum(usd ORDER BY call) FILTER (cost_basis = 'reported'), 0) AS reported_usd,
    coalesce(sum(usd ORDER BY call) FILTER (cost_basis = 'estimated'), 0) AS estimated_usd,
    count(*) FILTER (usd IS NULL AND cost_basis <> 'free') AS unpriced,
    coalesce(list(DISTINCT returned_model ORDER BY returned_model) FILTER (returned_model IS NOT NULL), []) AS returned_models,
    coalesce(list(DISTINCT fingerprint ORDER BY fingerprint) FILTER (fingerprint IS NOT NULL), []) AS fingerprints
  FROM calls
  GROUP BY ALL
  ORDER BY run, bool_and(role = 'study') DESC, model, role`;
