import { chartFont, chartFrame, type ChartAxis, chartSvg, roundedDomain } from './chart-frame.ts';
import type { Html } from './html.ts';

export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  /** CSS colour. */
  readonly color: string;
}

export interface Scatter {
  readonly points: readonly ScatterPoint[];
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  /** A dashed line through the medians of both, or where both are equal. */
  readonly lines: 'medians' | 'equal' | 'none';
}

/** Labels of a logarithmic axis; those beyond its ends are not shown. */
const logTicks = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];

/** With more the names lie over one another. */
const mostNames = 20;

/** Models as points with their names. */
export function scatterSvg({ points, x, y, lines }: Scatter): Promise<Html> {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  const both = roundedDomain([...xs, ...ys]);
  const apart = x.log ? ([Math.min(...xs) / 1.5, Math.max(...xs) * 2] as const) : roundedDomain(xs);
  const [xDomain, yDomain] = lines === 'equal' ? [both, both] : [apart, roundedDomain(ys)];
  const channel = (field: 'x' | 'y', { title, format, ticks, log }: ChartAxis, domain: readonly number[]) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain: [...domain], nice: false, ...(log ? { type: 'log' as const } : { zero: false }) },
    axis: { title, format, tickCount: 5, ...((ticks ?? (log && logTicks)) && { values: [...(ticks ?? logTicks)] }) },
  });
  const encoding = { x: channel('x', x, xDomain), y: channel('y', y, yDomain) };
  const color = { field: 'color', type: 'nominal' as const, scale: null, legend: null };
  const rule = { type: 'rule' as const, color: 'var(--muted)', strokeDash: [3, 3], strokeWidth: 1 };
  const middle = xDomain[0] + (xDomain[1] - xDomain[0]) * 0.62;
  const name = { type: 'text' as const, fontSize: 10, font: chartFont };
  const named = points.length <= mostNames ? points : [];
  return chartSvg({
    ...chartFrame,
    height: 190,
    layer: [
      ...(lines === 'medians'
        ? [
            { data: { values: [{ x: median(xs) }] }, mark: rule, encoding: { x: encoding.x } },
            { data: { values: [{ y: median(ys) }] }, mark: rule, encoding: { y: encoding.y } },
          ]
        : []),
      ...(lines === 'equal'
        ? [{ data: { values: both.map((value) => ({ x: value, y: value })) }, mark: { ...rule, type: 'line' as const }, encoding }]
        : []),
      {
        data: { values: [...points] },
        mark: { type: 'point', filled: true, size: 55, opacity: 0.9 },
        encoding: { ...encoding, color },
      },
      {
        data: { values: named.filter((point) => point.x <= middle) },
        mark: { ...name, align: 'left', dx: 7 },
        encoding: { ...encoding, color, text: { field: 'label', type: 'nominal' } },
      },
      {
        data: { values: named.filter((point) => point.x > middle) },
        mark: { ...name, align: 'right', dx: -7 },
        encoding: { ...encoding, color, text: { field: 'label', type: 'nominal' } },
      },
    ],
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? 0) + (sorted[Math.ceil(at)] ?? 0)) / 2;
}
