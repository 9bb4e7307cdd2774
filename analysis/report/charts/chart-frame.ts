/** What all charts share: axis style, and rendering a Vega-Lite specification to SVG. */
import { parse, textMetrics, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { rendered } from '../html.ts';
import type { Drawing } from './drawing.ts';
import { helveticaWidth } from './text-width.ts';

/**
 * Without a canvas Vega assumes 0.8 em per character. Helvetica's widths plus a tenth leave room for other fonts.
 */
textMetrics.width = (item, text) => helveticaWidth(String(text)) * (item.fontSize ?? 11) * 1.1;

/** A static SVG as wide as its container. Colours are CSS variables, so that one file suits light, dark and print. */
export async function chartSvg(spec: TopLevelSpec): Promise<Drawing> {
  const svg = await new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
  const drawn = svg.replace(/<svg([^>]*?) width="[\d.]+" height="[\d.]+"/, '<svg$1 width="100%" aria-hidden="true"');
  return { ...rendered(withLinks(drawn)), spec };
}

const linkedMark =
  /<a xlink:href="([^"]*)"><path aria-label="([^"]*)" role="graphics-symbol" aria-roledescription="symbol mark"/g;

/** Marks that are links are for everybody: their chart is not hidden from screen readers, and each has a name. */
function withLinks(svg: string): string {
  const linked = svg.replaceAll(linkedMark, '<a href="$1" aria-label="$2"><path');
  return linked === svg ? svg : linked.replace('aria-hidden="true"', 'role="group" aria-label="Points of a chart"');
}

export const chartFont = 'system-ui, sans-serif';

const axisStyle = {
  labelColor: 'var(--muted)',
  titleColor: 'var(--muted)',
  labelFont: chartFont,
  titleFont: chartFont,
  labelFontSize: 10,
  titleFontSize: 10,
  titleFontWeight: 'normal',
  domain: false,
  ticks: false,
  gridColor: 'var(--line)',
} as const;

/** A small chart's frame. */
export const chartFrame = {
  width: 250,
  height: 130,
  padding: { left: 2, right: 4, top: 4, bottom: 2 },
  background: 'transparent',
  config: { aria: false, view: { stroke: null }, axis: axisStyle },
} as const;

export interface ChartAxis {
  readonly title: string;
  /** A D3 format: `.2f`, `.0%`. */
  readonly format: string;
  /** Values that get a label. Default: chosen by the chart. */
  readonly ticks?: readonly number[];
  readonly log?: boolean;
}

/**
 * The ends of an axis: a little beyond the values, but not below 0 if no value is negative. A single value gets room
 * on both sides.
 */
export function roundedDomain(values: readonly number[]): [number, number] {
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const margin = (greatest - least) * 0.08 || Math.abs(least) * 0.1 || 0.1;
  return [least >= 0 ? Math.max(0, least - margin) : least - margin, greatest + margin];
}
