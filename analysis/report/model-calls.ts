import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { askedAs, givenBy } from '../../domain/spec/equal-requests.ts';
import { isOtherModel } from '../../domain/returned-model.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';

/** Calls and cost of one answering model in one role, including unused, failed and lost calls. */
export interface ModelCalls {
  readonly run: string;
  readonly model: string;
  /** `study`, or the role of another model, such as `judge`. */
  readonly role: string;
  readonly answered: number;
  readonly failed: number;
  readonly lost: number;
  /** Requests for several answers that the endpoint refused because of `n`. */
  readonly nRefused: number;
  /** Answers copied from an earlier run. */
  readonly reused: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** USD: from the usage that the provider reported, and as estimated for lost calls. */
  readonly reportedUsd: number;
  readonly estimatedUsd: number;
  /** Calls whose price is unknown: neither sum includes their cost. */
  readonly unpriced: number;
  /** Model names in the replies; more than one means that the model changed during the run. */
  readonly returnedModels: readonly string[];
  /** Those of `returnedModels` that name another model than the requested one. */
  readonly otherModels: readonly string[];
  /** Calls whose reported usage is impossible: they are counted with the largest possible usage. */
  readonly disbelieved: number;
  /** Answers whose log-probabilities are impossible. */
  readonly logprobFaults: number;
  /** Answers of all roles, and those of them that a limit on their length cut off. */
  readonly answers: number;
  readonly cut: number;
  /** Version fingerprints in the replies; more than one means that the model changed during the run. */
  readonly fingerprints: readonly string[];
  /** Who served the answers behind a gateway, over all roles. */
  readonly backends: readonly string[];
  /** Models of the run that may send equal requests, and then have the same answers. Default: none. */
  readonly askedAlike?: readonly string[];
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
    ...returnedNames(row),
    disbelieved: numberOf(row, 'disbelieved'),
    logprobFaults: numberOf(row, 'logprob_faults'),
    answers: numberOf(row, 'answers'),
    cut: numberOf(row, 'cut'),
    fingerprints: row['fingerprints'] as unknown as readonly string[],
    backends: row['backends'] as unknown as readonly string[],
    ...othersAskedAlike(database, row),
  }));
}

function othersAskedAlike({ manifests }: RunDatabase, row: Row): Pick<ModelCalls, 'askedAlike'> {
  const manifest = manifests.find(({ runId }) => runId === row['run']);
  if (row['role'] !== 'study' || manifest === undefined) return {};
  // Who got all answers from another model has no call.
  const isInStudies = (id: string): boolean => manifest.spec.models.some((one) => one.id === id && one.study);
  const { spec } = manifest;
  const alike = spec.studies.flatMap((study) => askedAs(spec, textOf(row, 'model'), givenBy(study)));
  const others = [...new Set(alike)].filter(isInStudies);
  return others.length === 0 ? {} : { askedAlike: others };
}

function returnedNames(row: Row): Pick<ModelCalls, 'returnedModels' | 'otherModels'> {
  const returnedModels = row['returned_models'] as unknown as readonly string[];
  const requested = row['requested_model'];
  // Table `models` is written when the run ends, so the requested name may still be unknown.
  const otherModels =
    typeof requested === 'string' ? returnedModels.filter((name) => isOtherModel(requested, name)) : [];
  return { returnedModels, otherModels };
}

/** Sums in call order, so that their last digits do not depend on the number of threads. */
const callsSql = `
  WITH asked AS (SELECT run, model AS answering_model, requested_model FROM models),
  faults AS (
    SELECT run, answering_model, count(*) AS answers, count(*) FILTER (logprob_fault IS NOT NULL) AS logprob_faults,
      count(*) FILTER (finish_reason = 'length' OR reply_status = 'truncated') AS cut,
      list(DISTINCT backend ORDER BY backend) FILTER (backend IS NOT NULL) AS backends
    FROM samples GROUP BY ALL)
  SELECT run, answering_model AS model, role,
    count(*) FILTER (status = 'answered') AS answered,
    count(*) FILTER (status = 'failed') AS failed,
    count(*) FILTER (status = 'lost') AS lost,
    count(*) FILTER (failure LIKE 'n refused:%') AS n_refused,
    count(*) FILTER (origin IS NOT NULL) AS reused,
    coalesce(sum(input_tokens::DOUBLE), 0) AS input_tokens,
    coalesce(sum(output_tokens::DOUBLE), 0) AS output_tokens,
    count(*) FILTER (usage_reported IS NOT NULL) AS disbelieved,
    any_value(requested_model) AS requested_model,
    coalesce(any_value(logprob_faults), 0) AS logprob_faults, coalesce(any_value(answers), 0) AS answers,
    coalesce(any_value(cut), 0) AS cut, coalesce(any_value(backends), []) AS backends,
    coalesce(sum(usd ORDER BY call) FILTER (cost_basis = 'reported'), 0) AS reported_usd,
    coalesce(sum(usd ORDER BY call) FILTER (cost_basis = 'estimated'), 0) AS estimated_usd,
    count(*) FILTER (usd IS NULL AND cost_basis <> 'free') AS unpriced,
    coalesce(list(DISTINCT returned_model ORDER BY returned_model) FILTER (returned_model IS NOT NULL),
      []) AS returned_models,
    coalesce(list(DISTINCT fingerprint ORDER BY fingerprint) FILTER (fingerprint IS NOT NULL), []) AS fingerprints
  FROM calls LEFT JOIN asked USING (run, answering_model) LEFT JOIN faults USING (run, answering_model)
  GROUP BY ALL
  ORDER BY run, bool_and(role = 'study') DESC, model, role`;
