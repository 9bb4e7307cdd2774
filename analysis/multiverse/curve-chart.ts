/**
 * A specification curve (Simonsohn, Simmons and Nelson 2020): the estimates of all universes in order, each with its
 * interval, over a matrix of dots that shows the options of each.
 */
import type { Choice } from '../../domain/multiverse/universe.ts';
import { sideOf } from '../../domain/multiverse/conclusion.ts';
import type { Finding } from '../../domain/multiverse/finding.ts';
import { type Html, html } from '../report/html.ts';
import { choiceTexts } from './names.ts';

/** Sizes in px. */
const width = 1064;
const [left, right, top] = [218, 14, 24];
const plotHeight = 210;
const rowHeight = 17;
const gap = 26;

/** Colours by the side of 0 on which the interval lies. */
export const sideColors = { 1: 'var(--accent)', 0: 'var(--muted)', '-1': 'var(--bad)' } as const;

interface Point {
  readonly finding: Finding;
  readonly estimate: number;
  readonly x: number;
}

/** @param choices those that were varied, with their options */
export function curveSvg(findings: readonly Finding[], choices: readonly Choice[], unit: string): Html {
  const points = pointsOf(findings);
  const scale = verticalScale(points);
  const matrix = matrixRows(choices);
  const height = top + plotHeight + gap + matrix.height + 6;
  return html`<svg viewBox="0 0 ${width} ${height}" width="100%" role="img" aria-label="Specification curve"
font-family="system-ui, sans-serif" font-size="11">
${axis(scale, unit)}${points.filter(({ finding }) => finding.isOwn).map((point) => ownBand(point, points, height))}
${points.map((point) => mark(point, scale))}
${matrix.rows.map((row) => matrixRow(row, points))}</svg>`;
}

function pointsOf(findings: readonly Finding[]): Point[] {
  const known = findings.flatMap((finding) =>
    finding.estimate === null ? [] : [{ finding, estimate: finding.estimate }],
  );
  const step = (width - left - right) / Math.max(1, known.length);
  return known
    .toSorted((a, b) => a.estimate - b.estimate)
    .map((one, place) => ({ ...one, x: left + step * (place + 0.5) }));
}

interface Scale {
  readonly ticks: readonly number[];
  readonly digits: number;
  y(value: number): number;
}

/** Always includes 0 if the values' sign is a conclusion. */
function verticalScale(points: readonly Point[]): Scale {
  const values = points.flatMap(({ estimate, finding: { interval, isSigned } }) => [
    estimate,
    ...(interval === null ? [] : [interval.lo, interval.hi]),
    ...(isSigned ? [0] : []),
  ]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const margin = (most - least) * 0.05 || 0.5;
  const [lo, hi] = [least - margin, most + margin];
  const step = niceStep((hi - lo) / 5);
  const first = Math.ceil(lo / step);
  return {
    ticks: Array.from({ length: Math.floor(hi / step) - first + 1 }, (_, index) => (first + index) * step),
    digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)),
    y: (value) => top + (plotHeight * (hi - value)) / (hi - lo),
  };
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((factor) => factor * power >= least) ?? 10) * power;
}

const fixed = (value: number): string => value.toFixed(1);

function axis({ ticks, digits, y }: Scale, unit: string): Html {
  const lines = ticks.map((tick) => {
    const isZero = Math.abs(tick) < 1e-9;
    return html`<line x1="${left}" x2="${width - right}" y1="${fixed(y(tick))}" y2="${fixed(y(tick))}"
stroke="var(--${isZero ? 'muted' : 'line'})" stroke-dasharray="${isZero ? '4 3' : '0'}"/>
<text x="${left - 8}" y="${fixed(y(tick) + 3.5)}" text-anchor="end" fill="var(--muted)">${
      isZero ? '0' : tick.toFixed(digits)
    }</text>`;
  });
  return html`${lines}<text x="0" y="${top + 8}" fill="var(--muted)">${unit}</text>`;
}

const stepOf = (points: readonly Point[]): number => (width - left - right) / Math.max(1, points.length);

/** Marks the run's own universe from the top of the plot to the end of the matrix. */
function ownBand({ x }: Point, points: readonly Point[], height: number): Html {
  const wide = Math.max(6, Math.min(22, stepOf(points)));
  const middle = Math.max(left + 36, Math.min(width - right - 36, x));
  return html`<rect x="${fixed(x - wide / 2)}" y="${top}" width="${fixed(wide)}" height="${height - top - 4}"
fill="var(--text)" opacity=".08"/><text x="${fixed(middle)}" y="${top - 8}" text-anchor="middle"
fill="var(--text)">the run’s own</text>`;
}

function mark({ finding: { interval, isOwn }, estimate, x }: Point, { y }: Scale): Html {
  const color = sideColors[sideOf(interval)];
  const at = fixed(x);
  const line =
    interval === null
      ? html``
      : html`<line x1="${at}" x2="${at}" y1="${fixed(y(interval.lo))}" y2="${fixed(y(interval.hi))}"
stroke="${color}" stroke-width="1.5" opacity=".45"/>`;
  return html`${line}<circle cx="${at}" cy="${fixed(y(estimate))}" r="${isOwn ? 4.5 : 3}" fill="${color}"${
    isOwn ? html` stroke="var(--text)" stroke-width="1.5"` : ''
  }/>`;
}

interface MatrixRow {
  readonly choice: Choice;
  readonly option: string;
  readonly isFirst: boolean;
  readonly isShaded: boolean;
  readonly y: number;
}

function matrixRows(choices: readonly Choice[]): { readonly rows: readonly MatrixRow[]; readonly height: number } {
  const rows: MatrixRow[] = [];
  let y = top + plotHeight + gap;
  for (const [index, choice] of choices.entries()) {
    for (const [place, option] of choice.options.entries()) {
      rows.push({ choice, option, isFirst: place === 0, isShaded: index % 2 === 0, y });
      y += rowHeight;
    }
    y += 5;
  }
  return { rows, height: y - top - plotHeight - gap };
}

function matrixRow({ choice, option, isFirst, isShaded, y }: MatrixRow, points: readonly Point[]): Html {
  const middle = y + rowHeight / 2;
  const radius = Math.max(1.2, Math.min(3.4, stepOf(points) * 0.36));
  const band = isShaded
    ? html`<rect x="${left - 104}" y="${y}" width="${width - right - left + 104}" height="${rowHeight}"
fill="var(--line)" opacity=".35"/>`
    : html``;
  const name = isFirst
    ? html`<text x="0" y="${middle + 3.5}" fill="var(--text)" font-weight="600">${choiceTexts[choice.name]}</text>`
    : html``;
  // The run's own option comes first.
  const label = html`<text x="${left - 8}" y="${middle + 3.5}" text-anchor="end" fill="var(--${
    isFirst ? 'text' : 'muted'
  })">${option}</text>`;
  const dots = points.map(({ finding: { options, interval }, x }) =>
    options[choice.name] === option
      ? html`<circle cx="${fixed(x)}" cy="${middle}" r="${radius}" fill="${sideColors[sideOf(interval)]}"/>`
      : html`<circle cx="${fixed(x)}" cy="${middle}" r="${Math.min(1, radius / 2)}" fill="var(--faint)"/>`,
  );
  return html`${band}${name}${label}${dots}`;
}
