import { chartFont, chartFrame, type ChartAxis, chartSvg, roundedDomain } from './chart-frame.ts';
import { chartLabel, labelSize } from './chart-label.ts';
import type { Drawing } from './drawing.ts';

export interface ChartLine {
  readonly name: string;
  /** CSS colour. */
  readonly color: string;
  readonly dashed?: boolean;
  /** `lo` and `hi` are drawn as a band behind the line. */
  readonly points: readonly { readonly x: number; readonly y: number; readonly lo?: number; readonly hi?: number }[];
}

export interface LineChart {
  readonly lines: readonly ChartLine[];
  readonly x: ChartAxis;
  readonly y: ChartAxis;
  /** Whether the points are marked. */
  readonly marked: boolean;
  /** Whether each line has its name at its end. */
  readonly named: boolean;
  /** A level drawn as a dashed line. */
  readonly level?: number;
}

/** Characters that fit to the right of the lines. */
const nameLength = 15;

export function lineSvg({ lines, x, y, marked, named, level }: LineChart): Promise<Drawing> {
  const points = lines.flatMap(({ name, color, dashed = false, points: own }) =>
    own.map((point) => ({ ...point, name, color, dashed })),
  );
  const values = points.flatMap((point) => [point.y, point.lo ?? point.y, point.hi ?? point.y]);
  const xs = points.map((point) => point.x);
  const domain = roundedDomain(level === undefined ? values : [...values, level]);
  const ends = endNames(lines, domain);
  const [least, greatest] = [Math.min(...xs), Math.max(...xs)];
  const horizontal = {
    field: 'x',
    type: 'quantitative' as const,
    scale: { domain: [least, named ? greatest + (greatest - least) * 0.55 : greatest], nice: false, zero: false },
    axis: { title: x.title, format: x.format, grid: false, tickCount: 5, ...(x.ticks && { values: [...x.ticks] }) },
  };
  const vertical = {
    field: 'y',
    type: 'quantitative' as const,
    scale: { domain, nice: false, zero: false },
    axis: { title: y.title, format: y.format, tickCount: 5 },
  };
  const color = { field: 'color', type: 'nominal' as const, scale: null, legend: null };
  const detail = { field: 'name', type: 'nominal' as const };
  const encoding = { x: horizontal, y: vertical, color, detail };
  const line = { type: 'line' as const, strokeWidth: 1.75, ...(marked && { point: { size: 18, filled: true } }) };
  return chartSvg({
    ...chartFrame,
    height: 150,
    layer: [
      {
        data: { values: level === undefined ? [] : [{ y: level }] },
        mark: { type: 'rule', color: 'var(--muted)', strokeDash: [3, 3], strokeWidth: 1 },
        encoding: { y: vertical },
      },
      {
        data: { values: points.filter((point) => point.lo !== undefined) },
        mark: { type: 'area', opacity: 0.12 },
        encoding: { ...encoding, y: { ...vertical, field: 'lo' }, y2: { field: 'hi' } },
      },
      { data: { values: points.filter(({ dashed }) => !dashed) }, mark: line, encoding },
      { data: { values: points.filter(({ dashed }) => dashed) }, mark: { ...line, strokeDash: [4, 3] }, encoding },
      {
        data: { values: named ? ends : [] },
        mark: { type: 'text', align: 'left', dx: 6, fontSize: labelSize, font: chartFont },
        encoding: { ...encoding, text: { field: 'label', type: 'nominal' } },
      },
    ],
  });
}

/** Labels at the lines' ends, moved up where they would overlap. */
function endNames(lines: readonly ChartLine[], [least, greatest]: readonly [number, number]) {
  const apart = (greatest - least) * 0.075;
  const ends = lines.flatMap(({ name, color, points }) => points.slice(-1).map(({ x, y }) => ({ name, color, x, y })));
  let above = -Infinity;
  return ends
    .toSorted((a, b) => a.y - b.y)
    .map((end) => {
      above = Math.max(end.y, above + apart);
      return { ...end, label: chartLabel(end.name, nameLength), y: above };
    });
}
