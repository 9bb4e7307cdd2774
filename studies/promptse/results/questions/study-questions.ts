/**
 * Answers the paper's research questions from runs: RQ1 to RQ3 from derived tables, RQ4 from prompts and samples.
 */
import {
  type Delta,
  type DeltaSpread,
  distanceSpreads,
  type GroupEffect,
  groupEffect,
  sizeFamilyInteraction,
} from './delta-effect.ts';
import { groupOf, groupsOf } from '../../../../domain/metrics/model-groups.ts';
import { type LightAgreement, lightAgreement } from './light-agreement.ts';
import { intervalsOverTasks, type ModelPoint, type Structure, structureOf, type TaskPoint } from './structure.ts';
import { lightPairs } from './light-pairs.ts';
import { areaOf, byModel, scored, valuesAt } from './task-areas.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import { numberOf, numberOrNull, textOf } from '../../../../domain/metrics/row-order.ts';
import type { SpecStudy } from '../../../../schemas/spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { type ModelAffect, modelAffect } from '../affect/model-affect.ts';
import { modelsWithTokens, modelTrajectory, type Trajectory } from '../affect/trajectory.ts';
import { type CalibrationOfGroup, storedCalibration } from '../calibration/stored-calibration.ts';
import { bySharedTasks } from '../../../../domain/metrics/sides/nearly-all-tasks.ts';
import { promptseStudies, type PromptseTables } from '../tables.ts';
import { deltaModels, deltasOf, factsOf, taskDeltas } from './deltas.ts';

type PromptseStudy = Extract<SpecStudy, { kind: 'promptse' }>;

export interface StudyQuestions {
  readonly run: string;
  readonly study: string;
  readonly settings: Pick<
    PromptseStudy['settings'],
    'samples' | 'lightSamples' | 'confidenceBins' | 'highConfidence' | 'lowConfidence' | 'deltaUnit'
  >;
  /** RQ1, by method, over models with an AUC-E of nearly all tasks. */
  readonly structure: { readonly full: Structure; readonly light: Structure };
  /** RQ2, over models with values of nearly all tasks. */
  readonly deltas: DeltaEffects;
  /** Models that RQ1, by method, and RQ2 leave out: their values are of fewer tasks than others'. */
  readonly fewerTasks: Readonly<Record<'full' | 'light' | 'deltas', readonly string[]>>;
  /** RQ3, over models with both methods. */
  readonly light: LightAgreement;
  /** RQ4. */
  readonly affect: readonly ModelAffect[];
  /** Confidence by token position, of the first models only. */
  readonly trajectories: readonly ModelTrajectory[];
  /** Models that have one. */
  readonly withTokens: number;
}

export interface ModelTrajectory extends Trajectory {
  readonly model: string;
}

export interface DeltaEffects {
  /** Over all models, by distance. */
  readonly distances: readonly DeltaSpread[];
  /** Null if no model's size, or family, is known. */
  readonly size: GroupEffect | null;
  readonly family: GroupEffect | null;
  readonly interaction: ReturnType<typeof sizeFamilyInteraction>;
  /** Mean AUC-E by method, size and family. */
  readonly grid: readonly GridCell[];
}

export interface GridCell {
  readonly size: string;
  readonly family: string;
  readonly method: 'full' | 'light';
  readonly models: number;
  readonly aucE: number;
  /** Over tasks, for the cell's models. */
  readonly interval: Interval | null;
  readonly nTasks: number;
}

const methods = ['full', 'light'] as const;

/** @param tables the current ones */
export async function promptseQuestions(database: RunDatabase, tables: PromptseTables): Promise<StudyQuestions[]> {
  const questions: StudyQuestions[] = [];
  for (const manifest of database.manifests)
    for (const study of promptseStudies(manifest)) {
      const own = (row: Row): boolean => row['run'] === manifest.runId && row['study'] === study.name;
      const [summaries, elasticities] = [tables.auc_e.filter(own), tables.elasticity.filter(own)];
      const of = { run: manifest.runId, study: study.name };
      const points = {
        full: bySharedTasks(pointsOf(summaries, elasticities, 'full'), ({ tasks }) => tasks),
        light: bySharedTasks(pointsOf(summaries, elasticities, 'light'), ({ tasks }) => tasks),
      };
      const byTask = await taskDeltas(database, manifest.runId, study.name);
      const stored = await storedCalibration(database, manifest, study.name);
      const affect = await affectOfModels(database, of, study, { elasticities, stored });
      const withTokens = await modelsWithTokens(database, of);
      const drawn = affect.map(({ model }) => model).filter((model) => withTokens.has(model));
      const { samples, lightSamples, confidenceBins, highConfidence, lowConfidence, deltaUnit } = study.settings;
      questions.push({
        run: manifest.runId,
        study: study.name,
        settings: {
          samples,
          ...(lightSamples !== undefined && { lightSamples }),
          confidenceBins,
          highConfidence,
          lowConfidence,
          deltaUnit,
        },
        structure: {
          full: structureOf(points.full.nearlyAll),
          light: structureOf(points.light.nearlyAll),
        },
        deltas: {
          ...deltaEffects(deltasOf(summaries.map(factsOf), byTask, affect, deltaUnit)),
          grid: methods.flatMap((method) => gridOf(points[method].nearlyAll, method)),
        },
        fewerTasks: {
          full: points.full.fewer.map(({ model }) => model),
          light: points.light.fewer.map(({ model }) => model),
          deltas: deltaModels(byTask).fewer,
        },
        light: lightAgreement(lightPairs(summaries, elasticities)),
        affect,
        trajectories: await trajectoriesOf(database, of, drawn.slice(0, mostTrajectories)),
        withTokens: drawn.length,
      });
    }
  return questions;
}

async function affectOfModels(
  database: RunDatabase,
  of: { readonly run: string; readonly study: string },
  study: PromptseStudy,
  { elasticities, stored }: { readonly elasticities: readonly Row[]; readonly stored: CalibrationOfGroup | null },
): Promise<ModelAffect[]> {
  const affects: ModelAffect[] = [];
  for (const [model, rows] of byModel(elasticities))
    affects.push(await modelAffect(database, { ...of, model }, study, rows, stored));
  return affects;
}

/** A figure of more models is not read; the JSON form has all. */
const mostTrajectories = 16;

/** @param models ids */
export async function trajectoriesOf(
  database: RunDatabase,
  of: { readonly run: string; readonly study: string },
  models: readonly string[],
): Promise<ModelTrajectory[]> {
  const trajectories: ModelTrajectory[] = [];
  for (const model of models) trajectories.push({ model, ...(await modelTrajectory(database, { ...of, model })) });
  return trajectories;
}

function pointsOf(summaries: readonly Row[], elasticities: readonly Row[], method: 'full' | 'light'): ModelPoint[] {
  const ofModel = byModel(elasticities.filter((row) => row['method'] === method));
  return scored(summaries, method).map((row) => ({
    ...factsOf(row),
    passAt1: numberOf(row, 'pass_at_1'),
    aucE: numberOf(row, 'auc_e'),
    excess: numberOrNull(row, 'auc_e_excess'),
    tasks: taskPoints(ofModel.get(textOf(row, 'model')) ?? []),
  }));
}

/** The tasks of AUC-E: those with an elasticity at all distances. */
function taskPoints(rows: readonly Row[]): Map<string, TaskPoint> {
  const points = [...Map.groupBy(rows, (row) => textOf(row, 'task_id'))].flatMap(
    ([task, own]): [string, TaskPoint][] => {
      const [elasticity, excess] = [areaOf(valuesAt(own, 'elasticity')), areaOf(valuesAt(own, 'excess'))];
      const passAt1 = own[0] === undefined ? null : numberOrNull(own[0], 'pass_rate_original');
      return elasticity === null || passAt1 === null ? [] : [[task, { passAt1, aucE: elasticity, excess }]];
    },
  );
  return new Map(points);
}

function deltaEffects(deltas: readonly Delta[]): Omit<DeltaEffects, 'grid'> {
  return {
    distances: distanceSpreads(deltas, null),
    size: groupEffect(deltas, 'size'),
    family: groupEffect(deltas, 'family'),
    interaction: sizeFamilyInteraction(deltas),
  };
}

const gridOf = (points: readonly ModelPoint[], method: 'full' | 'light'): GridCell[] =>
  groupsOf(points, 'size').flatMap((size) =>
    groupsOf(points, 'family').flatMap((family) => {
      const own = points.filter((point) => groupOf(point, 'size') === size && point.family === family);
      if (own.length === 0) return [];
      const { intervals, nTasks } = intervalsOverTasks(own);
      const mean = own.reduce((sum, { aucE: area }) => sum + area, 0) / own.length;
      return [{ size, family, method, models: own.length, aucE: mean, interval: intervals.aucE, nTasks }];
    }),
  );
