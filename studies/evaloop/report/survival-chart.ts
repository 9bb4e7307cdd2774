/** The survival chart of EVALOOP. */
import type { TopLevelSpec } from 'vega-lite';
import type { SurvivalPoint } from '../../../domain/metrics/survival.ts';
import { chartFont, chartFrame, chartSvg } from '../../../analysis/report/charts/chart-frame.ts';
import type { Drawing } from '../../../analysis/report/charts/drawing.ts';

export interface SurvivalChart {
  readonly points: readonly SurvivalPoint[];
  /** CSS colour of the curve. */
  readonly color: string;
  /** Curves of the other models, drawn faintly behind for comparison. */
  readonly others: readonly (readonly SurvivalPoint[])[];
  readonly maxLoops: number;
  /** Share of tasks whose own reference passes, drawn as a dashed line; null if unknown. */
  readonly ceiling: number | null;
}

/** Share of cells that still pass after each loop, with its band, as an SVG as wide as its container. */
export const survivalSvg = (chart: SurvivalChart): Promise<Drawing> => chartSvg(survivalSpec(chart));

function survivalSpec({ points, color, others, maxLoops, ceiling }: SurvivalChart): TopLevelSpec {
  const rows = points.map(({ loop, share, interval }) => ({
    loop,
    share,
    lo: interval?.lo ?? share,
    hi: interval?.hi ?? share,
    label: `${Math.round(100 * share)} %`,
  }));
  const context = others.flatMap((curve, model) => curve.map(({ loop, share }) => ({ loop, share, model })));
  const x = {
    field: 'loop',
    type: 'quantitative' as const,
    scale: { domain: [1, maxLoops], nice: false, zero: false },
    axis: loopAxis(maxLoops),
  };
  const y = { field: 'share', type: 'quantitative' as const, scale: { domain: [0, 1] }, axis: shareAxis };
  const label = {
    type: 'text' as const,
    color,
    fontSize: 11,
    fontWeight: 600 as const,
    align: 'left' as const,
    font: chartFont,
  };
  const text = { field: 'label', type: 'nominal' as const };
  return {
    ...chartFrame,
    layer: [
      {
        data: { values: ceiling === null ? [] : [{ share: ceiling }] },
        mark: { type: 'rule', color: 'var(--muted)', strokeDash: [3, 3], strokeWidth: 1 },
        encoding: { y },
      },
      {
        data: { values: context },
        mark: { type: 'line', color: 'var(--faint)', strokeWidth: 1 },
        encoding: { x, y, detail: { field: 'model', type: 'nominal' } },
      },
      {
        data: { values: rows },
        mark: { type: 'area', color, opacity: 0.16 },
        encoding: { x, y: { ...y, field: 'lo' }, y2: { field: 'hi' } },
      },
      {
        data: { values: rows },
        mark: { type: 'line', color, strokeWidth: 2.25, point: { color, size: 16, filled: true } },
        encoding: { x, y },
      },
      { data: { values: rows.slice(0, 1) }, mark: { ...label, dx: 3, dy: -10 }, encoding: { x, y, text } },
      { data: { values: rows.slice(1).slice(-1) }, mark: { ...label, dx: 6 }, encoding: { x, y, text } },
    ],
  };
}

const loopAxis = (maxLoops: number) => ({ title: 'after loop', grid: false, values: loopTicks(maxLoops), format: 'd' });

const shareAxis = { title: null, values: [0, 0.25, 0.5, 0.75, 1], format: '.0%' };

/** The first and last loop, and multiples of a step between them. */
function loopTicks(maxLoops: number): number[] {
  const step = Math.max(1, Math.ceil(maxLoops / 6));
  const steps = Array.from({ length: maxLoops }, (_, index) => index + 1).filter(
    (loop) => loop % step === 0 && loop - 1 > step / 2 && maxLoops - loop > step / 2,
  );
  return [...new Set([1, ...steps, maxLoops])];
}
