/** A scatter chart of two changes, with axes at no change: shows what is gained in one and lost in the other. */
import { type ChartAxis, chartFrame, chartSvg, roundedDomain } from '../../../analysis/report/charts/chart-frame.ts';
import type { Drawing } from '../../../analysis/report/charts/drawing.ts';

/** Assigned to groups in this order; with more groups, shapes repeat. */
export const pointShapes = [
  'circle',
  'square',
  'triangle-up',
  'diamond',
  'cross',
  'triangle-down',
  'triangle-right',
  'triangle-left',
] as const;

export interface TradeOffPoint {
  readonly x: number;
  readonly y: number;
  /** CSS colour. */
  readonly color: string;
  readonly shape: (typeof pointShapes)[number];
  /** Drawn as an outline. */
  readonly hollow: boolean;
}

/** The corner that is better in both is tinted: right, and up or down. */
export function tradeOffSvg(
  points: readonly TradeOffPoint[],
  x: ChartAxis,
  y: ChartAxis & { readonly good: 'up' | 'down' },
): Promise<Drawing> {
  const [xDomain, yDomain] = [
    domainAround(points.map((point) => point.x)),
    domainAround(points.map((point) => point.y)),
  ];
  const channel = (field: 'x' | 'y', { title, format }: ChartAxis, domain: readonly number[]) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain: [...domain], nice: false, zero: false },
    axis: { title, format, tickCount: 5 },
  });
  const encoding = { x: channel('x', x, xDomain), y: channel('y', y, yDomain) };
  const rule = { type: 'rule' as const, color: 'var(--muted)', strokeWidth: 1 };
  const corner = { x: 0, right: xDomain[1], y: 0, end: yDomain[y.good === 'up' ? 1 : 0] };
  const identity = (field: string) => ({ field, type: 'nominal' as const, scale: null, legend: null });
  const dots = (hollow: boolean) => ({
    data: { values: points.filter((point) => point.hollow === hollow) },
    mark: { type: 'point' as const, filled: !hollow, size: 60, opacity: hollow ? 1 : 0.75, strokeWidth: 1.6 },
    encoding: { ...encoding, color: identity('color'), shape: identity('shape') },
  });
  return chartSvg({
    ...chartFrame,
    height: 190,
    layer: [
      {
        data: { values: [corner] },
        mark: { type: 'rect', color: 'var(--good)', opacity: 0.08 },
        encoding: { ...encoding, x2: { field: 'right' }, y2: { field: 'end' } },
      },
      { data: { values: [{ x: 0 }] }, mark: rule, encoding: { x: encoding.x } },
      { data: { values: [{ y: 0 }] }, mark: rule, encoding: { y: encoding.y } },
      dots(false),
      dots(true),
    ],
  });
}

/** Includes 0, with room on both sides. */
function domainAround(values: readonly number[]): [number, number] {
  const [least, greatest] = roundedDomain([...values, 0]);
  const room = (greatest - least) * 0.08;
  return [Math.min(least, -room), Math.max(greatest, room)];
}
