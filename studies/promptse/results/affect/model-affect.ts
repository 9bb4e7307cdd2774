/**
 * RQ4 over a run's tables, one model at a time, because a model may have hundreds of thousands of samples.
 */
import { type AffectGroup, affectGroups, type Baseline, type PromptOutcome } from './affect.ts';
import { type AffectVariance, affectVariance, type WordedOutcome } from './affect-variance.ts';
import { type EmotionDistance, emotionDistances, type TaskValues } from './emotion-distances.ts';
import { differenceBounds } from '../../../../domain/metrics/score-intervals.ts';
import { boundedMeanInterval } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { numberOf, numberOrNull, textOf } from '../../../../domain/metrics/row-order.ts';
import type { SpecStudy } from '../../../../schemas/spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { affectOf } from '../../templates.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { type ModelOfStudy, modelRows } from '../../../../analysis/model-rows.ts';
import { records } from '../../../../analysis/records.ts';
import { calibrationOf } from '../calibration/calibration-groups.ts';
import type { CalibrationOfGroup } from '../calibration/stored-calibration.ts';
import { confidenceCell, isEmotion, quadrantOf } from '../calibration/confidence-cells.ts';
import { modelConfidence } from '../calibration/confidence.ts';

/** Signed change of the pass rate, mean over tasks. */
export interface EmotionDelta {
  readonly emotion: string;
  readonly distance: number;
  readonly delta: number;
  /** Gaffke's bounds over tasks. */
  readonly interval: Interval | null;
  /** Tasks. */
  readonly n: number;
}

export interface ModelAffect {
  readonly model: string;
  readonly groups: readonly AffectGroup[];
  /** Number of variants in no quadrant: without an emotion, or with one whose valence or arousal is 0. */
  readonly withoutQuadrant: number;
  readonly deltas: readonly EmotionDelta[];
  /** Of samples' confidences; empty without log-probabilities. */
  readonly confidenceDistances: readonly EmotionDistance[];
  /** Of prompts' signed change of the pass rate. */
  readonly deltaDistances: readonly EmotionDistance[];
  readonly variance: AffectVariance;
}

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;

/**
 * @param elasticities the model's rows of table `elasticity`, for their floors @param stored null if no calibration is
 */
export async function modelAffect(
  database: RunDatabase,
  of: ModelOfStudy,
  study: PromptseStudy,
  elasticities: readonly Row[],
  stored: CalibrationOfGroup | null,
): Promise<ModelAffect> {
  const prompts = (await promptRows(database, of)).map(outcomeOf);
  const baselines = baselinesOf(prompts, elasticities);
  const { sums, gaps, emotions } = await modelConfidence(database, of, study.settings, stored === null);
  return {
    model: of.model,
    groups: affectGroups({
      ...{ model: of.model, prompts, baselines, cells: sums.map(confidenceCell) },
      calibrationOf: stored ?? ((name, cells) => calibrationOf(cells, name)),
    }),
    withoutQuadrant: prompts.filter(({ distance, quadrant }) => distance > 0 && quadrant === null).length,
    deltas: emotionDeltas(prompts, baselines),
    confidenceDistances: emotionDistances(confidencesByEmotion(emotions)),
    deltaDistances: emotionDistances(deltasByEmotion(prompts, baselines)),
    variance: affectVariance(await wordedOutcomes(database, of, baselines, gaps)),
  };
}

/** Only the signed changes of the pass rate. */
export async function modelDeltas(database: RunDatabase, of: ModelOfStudy): Promise<readonly EmotionDelta[]> {
  const prompts = (await promptRows(database, of)).map(outcomeOf);
  return emotionDeltas(prompts, baselinesOf(prompts, []));
}

const promptRows = (database: RunDatabase, of: ModelOfStudy): Promise<Row[]> =>
  records(
    database,
    `SELECT task_id, emotion, distance, pass_rate, soft_exec FROM ${modelRows(database, 'prompt_scores', of)}
    WHERE repetition = 0 AND n_samples > 0`,
  );

const textOrNull = (row: Row, column: string): string | null => (row[column] == null ? null : textOf(row, column));
const outcomeOf = (row: Row): PromptOutcome => ({
  task: textOf(row, 'task_id'),
  emotion: textOrNull(row, 'emotion'),
  quadrant: quadrantOf(row['emotion']),
  distance: numberOrNull(row, 'distance') ?? 0,
  passRate: numberOf(row, 'pass_rate'),
  soft: numberOrNull(row, 'soft_exec'),
});

const confidencesByEmotion = (rows: readonly Row[]): Map<string, TaskValues> =>
  new Map(
    [...Map.groupBy(rows, (row) => textOf(row, 'emotion'))].map(([emotion, own]) => [
      emotion,
      new Map(own.map((row) => [textOf(row, 'task_id'), row['confidences'] as unknown as number[]])),
    ]),
  );

function baselinesOf(prompts: readonly PromptOutcome[], elasticities: readonly Row[]): Map<string, Baseline> {
  const floors = new Map(
    elasticities
      .filter((row) => row['method'] === 'full')
      .map((row) => [textOf(row, 'task_id'), numberOrNull(row, 'floor')]),
  );
  const originals = prompts.filter(({ distance }) => distance === 0);
  return new Map(
    originals.map(({ task, passRate, soft }) => [task, { passRate, soft, floor: floors.get(task) ?? null }]),
  );
}

/** Change of the pass rate of each variant whose original has a pass rate. */
const changes = (prompts: readonly PromptOutcome[], baselines: ReadonlyMap<string, Baseline>) =>
  prompts.flatMap(({ task, emotion, distance, passRate }) => {
    const base = baselines.get(task);
    return base === undefined || emotion === null ? [] : [{ task, emotion, distance, delta: passRate - base.passRate }];
  });

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function emotionDeltas(prompts: readonly PromptOutcome[], baselines: ReadonlyMap<string, Baseline>): EmotionDelta[] {
  const groups = Map.groupBy(changes(prompts, baselines), ({ emotion, distance }) =>
    JSON.stringify([emotion, distance]),
  );
  const deltas = [...groups.values()].map((group) => {
    const tasks = [...Map.groupBy(group, ({ task }) => task).values()].map((own) =>
      meanOf(own.map(({ delta }) => delta)),
    );
    const interval = boundedMeanInterval(tasks, differenceBounds);
    return {
      emotion: group[0]?.emotion ?? '',
      distance: group[0]?.distance ?? 0,
      delta: meanOf(tasks),
      interval,
      n: tasks.length,
    };
  });
  return deltas.toSorted((a, b) =>
    a.emotion === b.emotion ? a.distance - b.distance : a.emotion < b.emotion ? -1 : 1,
  );
}

const deltasByEmotion = (
  prompts: readonly PromptOutcome[],
  baselines: ReadonlyMap<string, Baseline>,
): Map<string, TaskValues> =>
  new Map(
    [...Map.groupBy(changes(prompts, baselines), ({ emotion }) => emotion)].map(([emotion, group]) => [
      emotion,
      new Map([...Map.groupBy(group, ({ task }) => task)].map(([task, own]) => [task, own.map(({ delta }) => delta)])),
    ]),
  );

async function wordedOutcomes(
  database: RunDatabase,
  of: ModelOfStudy,
  baselines: ReadonlyMap<string, Baseline>,
  gapRows: readonly Row[],
): Promise<WordedOutcome[]> {
  const rows = await records(database, wordedVariants(database, of));
  const gaps = new Map(gapRows.map((row) => [placeOf(row), numberOf(row, 'gap')]));
  return rows.flatMap((row) => {
    const { emotion } = row;
    if (!isEmotion(emotion)) return [];
    const [soft, base] = [numberOrNull(row, 'soft_exec'), baselines.get(textOf(row, 'task_id'))?.soft ?? null];
    return {
      task: textOf(row, 'task_id'),
      distance: numberOf(row, 'distance'),
      editDistance: numberOf(row, 'edit_distance'),
      words: numberOf(row, 'words'),
      technicalShare: numberOf(row, 'technical_share'),
      ...affectOf(emotion),
      softDelta: soft === null || base === null ? null : soft - base,
      gap: gaps.get(placeOf(row)) ?? null,
    };
  });
}

const placeOf = (row: Row): string => JSON.stringify([row['task_id'], row['variant']]);

/** Excludes variants without a share of technical terms: tables of older programs do not have it. */
const wordedVariants = (database: RunDatabase, of: ModelOfStudy): string => `
  SELECT task_id, variant, s.emotion, s.distance, s.soft_exec, v.edit_distance, v.words, v.technical_share
  FROM (FROM ${modelRows(database, 'prompt_scores', of)} WHERE repetition = 0 AND n_samples > 0) s
  JOIN (SELECT run, study, task_id, variant, edit_distance, words, technical_share FROM variants WHERE kind = 'style') v
    USING (run, study, task_id, variant)
  WHERE v.technical_share IS NOT NULL AND v.edit_distance IS NOT NULL ORDER BY task_id, variant`;
