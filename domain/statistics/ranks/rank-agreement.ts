/** How far settings agree about the same models: in their orders (Kendall's W) and scores (intraclass correlation). */
import { midRanks, tieCubes } from './ranks.ts';
import { isConstant, unitOf } from '../rounding.ts';

/** `table[setting][model]`: the same models in every setting. */
export type ScoreTable = readonly (readonly number[])[];

/**
 * Kendall's coefficient of concordance, corrected for ties, over the settings' orders of the models: 0 (none) to 1
 * (identical). Null for fewer than two settings or models, or if every setting ties all models.
 */
export function kendallW(table: ScoreTable): number | null {
  const models = modelsOf(table);
  const settings = table.length;
  if (settings < 2 || models < 2) return null;
  const ranks = table.map(midRanks);
  const totals = columnSums(ranks);
  const expected = (settings * (models + 1)) / 2;
  const spread = totals.reduce((sum, total) => sum + (total - expected) ** 2, 0);
  const ties = ranks.reduce((sum, row) => sum + tieCubes(row), 0);
  const possible = settings ** 2 * (models ** 3 - models) - settings * ties;
  return possible === 0 ? null : Math.min(1, (12 * spread) / possible);
}

/**
 * Shrout and Fleiss (1979), for the score of one setting: `agreement` is ICC(2,1), in which shifts between settings
 * count; `consistency` is ICC(3,1).
 */
export interface IntraclassCorrelation {
  readonly agreement: number;
  readonly consistency: number;
}

/**
 * Two-way analysis of variance, one score per model and setting. At most 1; null for fewer than two settings or models,
 * or without any variance.
 */
export function intraclassCorrelation(table: ScoreTable): IntraclassCorrelation | null {
  const [models, settings, squares] = [modelsOf(table), table.length, meanSquares(table)];
  if (squares === null) return null;
  const { between, shift, residual } = squares;
  const consistent = between + (settings - 1) * residual;
  const agreed = consistent + (settings * (shift - residual)) / models;
  if (consistent === 0 || agreed === 0) return null;
  return { agreement: (between - residual) / agreed, consistency: (between - residual) / consistent };
}

/** In an arbitrary unit: only their ratios are meaningful. */
export interface MeanSquares {
  /** Between models. */
  readonly between: number;
  /** Between settings. */
  readonly shift: number;
  readonly residual: number;
}

/** Null for fewer than two settings or models, or without any variance. */
export function meanSquares(table: ScoreTable): MeanSquares | null {
  const [models, settings] = [modelsOf(table), table.length];
  if (settings < 2 || models < 2 || isConstant(table.flat())) return null;
  const unit = unitOf(table.flat());
  const scaled = table.map((scores) => scores.map((score) => score / unit));
  const grand = sum(scaled.map(sum)) / (models * settings);
  const between = settings * squares(columnSums(scaled).map((total) => total / settings - grand));
  const shift = models * squares(scaled.map((scores) => sum(scores) / models - grand));
  const all = sum(scaled.map((scores) => squares(scores.map((score) => score - grand))));
  return {
    between: between / (models - 1),
    shift: shift / (settings - 1),
    residual: Math.max(0, all - between - shift) / ((models - 1) * (settings - 1)),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const squares = (values: readonly number[]): number => sum(values.map((value) => value ** 2));
const columnSums = (table: ScoreTable): number[] =>
  (table[0] ?? []).map((_, model) => sum(table.map((scores) => scores[model] as number)));

function modelsOf(table: ScoreTable): number {
  const models = table[0]?.length ?? 0;
  const uneven = table.find((scores) => scores.length !== models);
  if (uneven)
    throw new Error(`every setting needs a score of each of the ${models} models, got a setting with ${uneven.length}`);
  return models;
}
