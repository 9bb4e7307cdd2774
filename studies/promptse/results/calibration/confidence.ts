/** Samples of one model of a PromptSE study, with their confidence: exp of the mean token log-probability. */
import { excludedList } from '../../../../analysis/excluded-list.ts';
import type { SpecStudy } from '../../../../schemas/spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { type ModelOfStudy, modelRows } from '../../../../analysis/model-rows.ts';
import { records } from '../../../../analysis/records.ts';

type Settings = Extract<SpecStudy, { kind: 'promptse' }>['settings'];

/**
 * Definitions of a sample's confidence by its tokens' probabilities, as SQL over the logarithms. The geometric mean is
 * evenkeel's.
 */
const otherDefinitions = {
  'arithmetic mean': 'list_avg(list_transform(logprobs, lambda one: exp(one)))',
  least: 'exp(list_min(logprobs))',
  product: 'exp(list_sum(logprobs))',
} as const;
export type ConfidenceDefinition = 'geometric mean' | keyof typeof otherDefinitions;
export const confidenceDefinitions: readonly [ConfidenceDefinition, ...ConfidenceDefinition[]] = [
  'geometric mean',
  ...(Object.keys(otherDefinitions) as (keyof typeof otherDefinitions)[]),
];

function givenBy(database: RunDatabase, of: ModelOfStudy, definition: ConfidenceDefinition): string {
  const place = 'task_id, variant, repetition, sample';
  return definition === 'geometric mean'
    ? `SELECT ${place}, exp(logprob_sum / logprob_tokens) AS confidence
       FROM ${modelRows(database, 'samples', of)} WHERE step = 'generate' AND logprob_tokens > 0`
    : `SELECT ${place}, ${otherDefinitions[definition]} AS confidence
       FROM ${modelRows(database, 'logprobs', of)} WHERE step = 'generate' AND len(logprobs) > 0`;
}

/** Samples of all draws, including redraws of the original, without excluded samples. */
const sureSamples = (
  database: RunDatabase,
  of: ModelOfStudy,
  definition: ConfidenceDefinition = 'geometric mean',
): string => `
  judged AS (
    SELECT task_id, variant, repetition, sample, bool_and(outcome = 'pass') AS passed
    FROM ${modelRows(database, 'verdicts', of)} WHERE step = 'generate'
    GROUP BY ALL
    HAVING passed OR NOT bool_and(outcome IN ('pass', ${excludedList}))),
  given AS (${givenBy(database, of, definition)}),
  placed AS (
    SELECT task_id, variant, repetition, emotion, coalesce(distance, 0) AS distance
    FROM ${modelRows(database, 'prompt_scores', of)}),
  sure AS MATERIALIZED (
    SELECT task_id, variant, repetition, sample, emotion, distance, least(confidence, 1) AS confidence, passed
    FROM given JOIN judged USING (task_id, variant, repetition, sample)
    JOIN placed USING (task_id, variant, repetition))`;

/** Sums by task, emotion, distance and bin of equal width. */
const sumsSql = ({ confidenceBins, highConfidence, lowConfidence }: Settings): string => `
    SELECT task_id, emotion, distance, least(floor(confidence * ${confidenceBins}), ${confidenceBins - 1})::INT AS bin,
      count(*)::INT AS n, sum(confidence) AS confidence, count(*) FILTER (WHERE passed)::INT AS passed,
      count(*) FILTER (WHERE NOT passed AND confidence >= ${highConfidence})::INT AS sure_failures,
      count(*) FILTER (WHERE passed AND confidence <= ${lowConfidence})::INT AS unsure_successes,
      CASE WHEN any_value(own.low < own.high)
        THEN count(*) FILTER (WHERE NOT passed AND confidence >= own.high)::INT END AS sure_failures_own,
      CASE WHEN any_value(own.low < own.high)
        THEN count(*) FILTER (WHERE passed AND confidence <= own.low)::INT END AS unsure_successes_own
    FROM sure, (SELECT quantile_cont(confidence, 0.25) AS low, quantile_cont(confidence, 0.75) AS high FROM sure) own
    GROUP BY ALL`;

export const confidenceSums = (database: RunDatabase, of: ModelOfStudy, settings: Settings): Promise<Row[]> =>
  records(database, `WITH ${sureSamples(database, of)} ${sumsSql(settings)} ORDER BY ALL`);

/** Several answers about one model, for which its samples are joined once. */
export interface ModelConfidence {
  /** As `confidenceSums`; empty if not asked for. */
  readonly sums: readonly Row[];
  /** Mean |confidence - passed| of each variant, as `gap`. */
  readonly gaps: readonly Row[];
  /** The confidences of each emotion's samples, by task and in order. */
  readonly emotions: readonly Row[];
}

export async function modelConfidence(
  database: RunDatabase,
  of: ModelOfStudy,
  settings: Settings,
  withSums: boolean,
): Promise<ModelConfidence> {
  const rows = await records(
    database,
    `WITH ${sureSamples(database, of)}
    SELECT * FROM (
      SELECT 'sums' AS asked, * FROM (${sumsSql(settings)}) WHERE ${withSums}
      UNION ALL BY NAME
      SELECT 'gaps' AS asked, task_id, variant, avg(abs(confidence - passed::INT)) AS gap FROM sure WHERE distance > 0
      GROUP BY ALL
      UNION ALL BY NAME
      SELECT 'emotions' AS asked, emotion, task_id, list(confidence ORDER BY confidence) AS confidences
      FROM sure WHERE emotion IS NOT NULL GROUP BY ALL
    ) ORDER BY asked, task_id, emotion, distance, bin, variant`,
  );
  const answer = (asked: string): Row[] => rows.filter((row) => row['asked'] === asked);
  return { sums: answer('sums'), gaps: answer('gaps'), emotions: answer('emotions') };
}

/** Each task's mean confidence minus its share of passed samples. */
export const taskOverconfidence = (
  database: RunDatabase,
  of: ModelOfStudy,
  definition: ConfidenceDefinition,
): Promise<Row[]> =>
  records(
    database,
    `WITH ${sureSamples(database, of, definition)}
    SELECT task_id, list_avg(list(confidence - passed::INT ORDER BY variant, repetition, sample)) AS gap FROM sure
    GROUP BY task_id ORDER BY task_id`,
  );

/** Later positions are ignored. */
const lastPosition = 256;

/**
 * Sums of the log-probabilities of the tokens at each position, from 1, by task, for samples that pass and that fail.
 */
export const tokenTrajectories = (database: RunDatabase, of: ModelOfStudy): Promise<Row[]> =>
  records(
    database,
    `WITH ${sureSamples(database, of)},
    tokens AS (
      SELECT passed, task_id, unnest(logprobs[1:${lastPosition}]) AS logprob, unnest(range(1, least(len(logprobs),
        ${lastPosition}) + 1)) AS position
      FROM (SELECT task_id, variant, repetition, sample, logprobs FROM ${modelRows(database, 'logprobs', of)}
        WHERE step = 'generate')
      JOIN sure USING (task_id, variant, repetition, sample))
    SELECT passed, position::INT AS position, task_id, sum(logprob) AS total,
      count(*)::INT AS n FROM tokens GROUP BY ALL ORDER BY ALL`,
  );
