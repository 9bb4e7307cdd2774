/**
 * PartialOrderEval's figures as SVG: pass@1 by level with a line per model, and by words with a line per augmentation.
 */
import type { TopLevelSpec } from 'vega-lite';
import { estimateOf } from '../../../analysis/estimate.ts';
import type { Row } from '../../../schemas/tables.ts';
import { chartFrame, chartSvg } from '../../../analysis/report/charts/chart-frame.ts';
import type { Drawing } from '../../../analysis/report/charts/drawing.ts';

export interface CurvePoint {
  /** Position on the x axis: a level's name, or a number of words. */
  readonly x: string | number;
  readonly y: number;
  readonly lo: number | null;
  readonly hi: number | null;
}

export interface CurveSeries {
  readonly name: string;
  /** CSS colour. */
  readonly color: string;
  readonly points: readonly CurvePoint[];
  /** A level drawn as a dashed line: the original prompt's pass@1. */
  readonly rule: number | null;
}

const width = 300;
const height = 170;

/** @param levels names of the x axis's levels in order; null for an axis of words */
export const curveSvg = (
  series: readonly CurveSeries[],
  levels: readonly string[] | null,
  title: string,
): Promise<Drawing> => chartSvg(curveSpec(series, levels, title));

function curveSpec(series: readonly CurveSeries[], levels: readonly string[] | null, title: string): TopLevelSpec {
  const x =
    levels === null
      ? { field: 'x', type: 'quantitative' as const, axis: { title, grid: false }, scale: { nice: false } }
      : {
          field: 'x',
          type: 'ordinal' as const,
          sort: [...levels],
          axis: { title, labelAngle: -35, labelOverlap: false, ...levelAxis },
        };
  const y = {
    field: 'y',
    type: 'quantitative' as const,
    scale: { domain: [0, 1] },
    axis: { title: null, values: [0, 0.25, 0.5, 0.75, 1], format: '.0%' },
  };
  return {
    ...chartFrame,
    ...{ width, height },
    layer: series.flatMap(({ color, points, rule }) => [
      {
        data: { values: rule === null ? [] : [{ y: rule }] },
        mark: { type: 'rule' as const, color, strokeDash: [3, 3], strokeWidth: 1, opacity: 0.7 },
        encoding: { y },
      },
      {
        data: { values: points.filter(({ lo, hi }) => lo !== null && hi !== null).map((point) => ({ ...point })) },
        mark: { type: 'area' as const, color, opacity: 0.12 },
        encoding: { x, y: { ...y, field: 'lo' }, y2: { field: 'hi' } },
      },
      {
        data: { values: points.map((point) => ({ ...point })) },
        mark: { type: 'line' as const, color, strokeWidth: 2, point: { color, size: 18, filled: true } },
        encoding: { x, y },
      },
    ]),
  };
}

const levelAxis = { grid: false, labelPadding: 4 } as const;

/** A row of table `specificity_curve` as a point; null without a row or a value. */
export function pointOf(row: Row | undefined, x: string | number): CurvePoint | null {
  const passing = estimateOf(row ?? {}, 'pass_at_1');
  return passing === null
    ? null
    : { x, y: passing.value, lo: passing.interval?.lo ?? null, hi: passing.interval?.hi ?? null };
}
