import { chartFont, chartFrame, type ChartAxis, chartSvg, roundedDomain } from './chart-frame.ts';
import { chartLabel, labelPlaces, labelSize } from './chart-label.ts';
import type { Drawing } from './drawing.ts';

export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  /** The model's name; a long one is shortened in the chart. */
  readonly name: string;
  /** Text after the name. */
  readonly facts?: string;
  /** CSS colour. */
  readonly color: string;
  /** Address within the page that a click on it leads to. */
  readonly href?: string;
  /** Its values in words, for its tooltip and for screen readers. */
  readonly says?: string;
}

export interface Scatter {
  readonly points: readonly ScatterPoint[];
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  /** A dashed line through the medians of both, or where both are equal. */
  readonly lines: 'medians' | 'equal' | 'none';
}

/** Labels of a logarithmic axis; only those within its range are shown. */
const logTicks = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];

/** With more points the labels overlap, so none is drawn. */
const mostNames = 20;
const nameLength = 18;
const height = 190;
/** Room for the labels of the y axis, the same in every chart, so that charts side by side have one size. */
const labelRoom = 30;

/** Models as points with their names. */
export function scatterSvg({ points, x, y, lines }: Scatter): Promise<Drawing> {
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
  const up = channel('y', y, yDomain);
  const encoding = { x: channel('x', x, xDomain), y: { ...up, axis: { ...up.axis, minExtent: labelRoom } } };
  const color = { field: 'color', type: 'nominal' as const, scale: null, legend: null };
  const rule = { type: 'rule' as const, color: 'var(--muted)', strokeDash: [3, 3], strokeWidth: 1 };
  const named = points.length <= mostNames ? points.map((point) => ({ ...point, label: labelOf(point) })) : [];
  const places = labelPlaces(
    named.map((point) => ({
      x: chartFrame.width * shareOf(point.x, xDomain, x.log),
      y: height * (1 - shareOf(point.y, yDomain, y.log)),
      label: point.label,
    })),
    chartFrame.width,
    height,
  );
  return chartSvg({
    ...chartFrame,
    height,
    layer: [
      ...(lines === 'medians'
        ? [
            { data: { values: [{ x: median(xs) }] }, mark: rule, encoding: { x: encoding.x } },
            { data: { values: [{ y: median(ys) }] }, mark: rule, encoding: { y: encoding.y } },
          ]
        : []),
      ...(lines === 'equal'
        ? [
            {
              data: { values: both.map((value) => ({ x: value, y: value })) },
              mark: { ...rule, type: 'line' as const },
              encoding,
            },
          ]
        : []),
      {
        data: { values: [...points] },
        mark: { type: 'point', filled: true, size: 55, opacity: 0.9 },
        encoding: { ...encoding, color, ...linked(points) },
      },
      ...named.map((point, index) => ({
        data: { values: [point] },
        mark: { type: 'text' as const, fontSize: labelSize, font: chartFont, ...places[index] },
        encoding: { ...encoding, color, text: { field: 'label', type: 'nominal' as const } },
      })),
    ],
  });
}

/** Channels of points that are links. */
const linked = (points: readonly ScatterPoint[]) =>
  points.some(({ href }) => href !== undefined)
    ? {
        href: { field: 'href', type: 'nominal' as const },
        description: { field: 'says', type: 'nominal' as const },
      }
    : {};

const labelOf = ({ name, facts }: ScatterPoint): string =>
  [chartLabel(name, nameLength), ...(facts === undefined ? [] : [facts])].join(', ');

/** How far a value lies between an axis's ends, 0 to 1. */
function shareOf(value: number, [least, greatest]: readonly [number, number], log = false): number {
  return log ? Math.log(value / least) / Math.log(greatest / least) : (value - least) / (greatest - least);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(at)] ?? 0) + (sorted[Math.ceil(at)] ?? 0)) / 2;
}
