/** The paper's research questions over what runs hold: RQ1 to RQ3 from the derived tables, RQ4 from prompts and samples. */
import { calibrationError } from '../domain/metrics/calibration.ts';
import {
  type Closeness,
  closeness,
  type SizeEffect,
  sizeEffect,
  type Structure,
  structureOf,
} from '../domain/metrics/promptse-questions.ts';
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import type { Row } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { currentPromptseTables, promptseStudies } from './promptse-tables.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

export interface StudyQuestions {
  readonly run: string;
  readonly study: string;
  /** RQ1, by method; over models that have an AUC-E. */
  readonly structure: { readonly full: Structure; readonly light: Structure };
  /** RQ2: null where no model says its size. */
  readonly sizes: SizeEffect | null;
  /** RQ3 over models; null for fewer than two with both methods. */
  readonly models: Closeness | null;
  /** RQ3 over tasks and distances, by model. */
  readonly tasks: readonly { readonly model: string; readonly closeness: Closeness }[];
  /** RQ4; emotion null is the original prompt. */
  readonly emotions: readonly EmotionEffect[];
}

export interface EmotionEffect {
  readonly model: string;
  readonly emotion: string | null;
  /** Prompts. */
  readonly n: number;
  readonly passRate: number | null;
  /** Mean |pass rate - that of the task's original|. */
  readonly meanAbsoluteDelta: number | null;
  /** Null without log-probabilities. Confidence is exp of the mean token log-probability. */
  readonly calibrationError: number | null;
  /** Share of samples that fail with a confidence of at least 0.9, and of those that pass with at most 0.5. */
  readonly sureFailures: number | null;
  readonly unsureSuccesses: number | null;
}

export async function promptseQuestions(database: RunDatabase): Promise<StudyQuestions[]> {
  const tables = await currentPromptseTables(database);
  const questions: StudyQuestions[] = [];
  for (const manifest of database.manifests)
    for (const { name } of promptseStudies(manifest)) {
      const own = (row: Row): boolean => row['run'] === manifest.runId && row['study'] === name;
      questions.push({
        run: manifest.runId,
        study: name,
        ...fromTables(tables.auc_e.filter(own), tables.elasticity.filter(own)),
        emotions: await emotionEffects(database, manifest.runId, name),
      });
    }
  return questions;
}

type FromTables = Pick<StudyQuestions, 'structure' | 'sizes' | 'models' | 'tasks'>;

function fromTables(summaries: readonly Row[], elasticities: readonly Row[]): FromTables {
  const light = summaries.filter((row) => row['method'] === 'light' && row['auc_e'] !== null);
  const full = summaries.filter((row) => row['method'] === 'full' && row['auc_e'] !== null);
  const pairs = full.flatMap((row) => {
    const other = light.find((one) => one['model'] === row['model']);
    return other === undefined ? [] : [{ light: numberOf(other, 'auc_e'), full: numberOf(row, 'auc_e') }];
  });
  const byModel = [...Map.groupBy(elasticities, (row) => textOf(row, 'model'))];
  return {
    structure: { full: structureOf(full.map(pointOf)), light: structureOf(light.map(pointOf)) },
    sizes: sizesOf(light, elasticities),
    models: pairs.length < 2 ? null : closeness(pairs),
    tasks: byModel
      .map(([model, rows]) => ({ model, closeness: closeness(taskPairs(rows)) }))
      .filter(({ closeness: { errors } }) => errors !== null),
  };
}

const pointOf = (row: Row) => ({ model: textOf(row, 'model'), passAt1: numberOf(row, 'pass_at_1'), aucE: numberOf(row, 'auc_e') });

/** A model's elasticities of both methods, by task and distance. */
function taskPairs(rows: readonly Row[]): { light: number; full: number }[] {
  const place = (row: Row): string => JSON.stringify([row['task_id'], row['distance']]);
  const defined = rows.filter((row) => row['elasticity'] !== null);
  const light = new Map(defined.filter((row) => row['method'] === 'light').map((row) => [place(row), numberOf(row, 'elasticity')]));
  return defined
    .filter((row) => row['method'] === 'full' && light.has(place(row)))
    .map((row) => ({ light: light.get(place(row)) as number, full: numberOf(row, 'elasticity') }));
}

function sizesOf(summaries: readonly Row[], elasticities: readonly Row[]): SizeEffect | null {
  const sizes = new Map(
    summaries.flatMap((row) => (row['size_b'] === null ? [] : [[textOf(row, 'model'), numberOf(row, 'size_b')] as const])),
  );
  const deltas = elasticities
    .filter((row) => row['method'] === 'light' && row['delta'] !== null && sizes.has(textOf(row, 'model')))
    .map((row) => ({ sizeB: sizes.get(textOf(row, 'model')) as number, delta: numberOf(row, 'delta') }));
  return deltas.length === 0 ? null : sizeEffect(deltas);
}

async function emotionEffects(database: RunDatabase, run: string, study: string): Promise<EmotionEffect[]> {
  const where = `run = ${quoteText(run)} AND study = ${quoteText(study)}`;
  const prompts = await records(database, promptsByEmotion(where));
  const bins = await records(database, confidenceBins(where));
  return prompts.map((row) => {
    const own = bins.filter((bin) => bin['model'] === row['model'] && bin['emotion'] === row['emotion']);
    const samples = own.reduce((sum, bin) => sum + numberOf(bin, 'n'), 0);
    const share = (column: string): number | null =>
      samples === 0 ? null : own.reduce((sum, bin) => sum + numberOf(bin, column), 0) / samples;
    return {
      model: textOf(row, 'model'),
      emotion: row['emotion'] === null ? null : textOf(row, 'emotion'),
      n: numberOf(row, 'n'),
      passRate: row['pass_rate'] as number | null,
      meanAbsoluteDelta: row['delta'] as number | null,
      calibrationError: calibrationError(
        own.map((bin) => ({ n: numberOf(bin, 'n'), confidence: numberOf(bin, 'confidence'), passed: numberOf(bin, 'passed') })),
      ),
      sureFailures: share('sure_failures'),
      unsureSuccesses: share('unsure_successes'),
    };
  });
}

const promptsByEmotion = (where: string): string => `
  WITH scores AS (SELECT * FROM prompt_scores WHERE ${where} AND n_samples > 0 AND repetition = 0),
  originals AS (SELECT model, task_id, pass_rate AS original FROM scores WHERE variant = 'original')
  SELECT model, emotion, count(*)::INT AS n, avg(pass_rate) AS pass_rate,
    CASE WHEN emotion IS NULL THEN NULL ELSE avg(abs(pass_rate - original)) END AS delta
  FROM scores LEFT JOIN originals USING (model, task_id) GROUP BY model, emotion ORDER BY model, emotion NULLS FIRST`;

/** Ten bins of equal width; samples with a limit of ours among their verdicts are left out. */
const confidenceBins = (where: string): string => `
  WITH judged AS (
    SELECT model, task_id, variant, repetition, sample, bool_and(outcome = 'pass') AS passed
    FROM verdicts WHERE ${where} AND step = 'generate'
    GROUP BY ALL HAVING NOT bool_or(outcome IN ('unencodable', 'missing_dependency', 'not_run'))),
  sure AS (
    SELECT model, emotion, exp(logprob_sum / logprob_tokens) AS confidence, passed
    FROM (SELECT model, task_id, variant, repetition, sample, logprob_sum, logprob_tokens FROM samples
      WHERE ${where} AND step = 'generate' AND logprob_tokens > 0)
    JOIN judged USING (model, task_id, variant, repetition, sample)
    JOIN (SELECT model, task_id, variant, repetition, emotion FROM prompt_scores WHERE ${where}) USING (model, task_id, variant, repetition))
  SELECT model, emotion, least(floor(confidence * 10), 9)::INT AS bin, count(*)::INT AS n, sum(confidence) AS confidence,
    count(*) FILTER (WHERE passed)::INT AS passed, count(*) FILTER (WHERE NOT passed AND confidence >= 0.9)::INT AS sure_failures,
    count(*) FILTER (WHERE passed AND confidence <= 0.5)::INT AS unsure_successes
  FROM sure GROUP BY ALL ORDER BY ALL`;
