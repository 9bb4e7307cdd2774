/** Themes of the summaries (section 5): figure 5, counts and agreement. */
import { number } from '../../../analysis/report/cells.ts';
import { lineSvg } from '../../../analysis/report/charts/line-chart.ts';
import { countText, intervalText } from '../../../analysis/report/format.ts';
import {
  type DataCell,
  type DataTable,
  type Figure,
  note,
  type Part,
  type Section,
  section,
} from '../../../analysis/report/part.ts';
import { modelColor } from '../../../analysis/report/style.ts';
import { estimateOf } from '../../../analysis/estimate.ts';
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { SpecificityStudyReport } from './data.ts';
import { estimateCell } from './row-cells.ts';

const shown = 10;

/** Colours repeat from the ninth line on. */
const colors = 8;

/** The themes with the most summaries, by their mean number over word limits. */
export function topThemes(counts: readonly Row[]): string[] {
  const total = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + numberOf(row, 'n_with'), 0);
  return [...byTheme(counts)]
    .map(([id, rows]) => [id, total(rows)] as const)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, shown)
    .map(([id]) => id);
}

const byTheme = (rows: readonly Row[]): Map<string, Row[]> => Map.groupBy(rows, (row) => textOf(row, 'theme'));

export const themeName = (row: Row | undefined): string => `${String(row?.['theme'])} ${String(row?.['name'])}`;

/** Empty if no model labelled summaries. */
export function themesPart({ themes: { counts, agreement } }: SpecificityStudyReport): Section {
  return section('Themes of the summaries (figure 5)', counts.length === 0 ? [] : themeParts(counts, agreement));
}

function themeParts(counts: readonly Row[], agreement: readonly Row[]): Part[] {
  const top = topThemes(counts);
  const read = Math.max(0, ...agreement.map((row) => numberOf(row, 'n')));
  const about =
    'Number of summaries with each theme, by word limit. The figure shows the ten themes with the highest mean ' +
    'count. Each summary counts with the share of labelling runs that found the theme. Below each count: the 95 % ' +
    `interval of its share, in percent of the summaries, whose number is in the column head. ${countText(read)} ` +
    'summaries have labels from both of the first two runs.';
  return [note(about), themeFigure(counts, top), themeTable(counts, agreement, top)];
}

const limitsOf = (counts: readonly Row[]): number[] =>
  [...new Set(counts.map((row) => numberOf(row, 'level')))].toSorted((a, b) => a - b);

function themeFigure(counts: readonly Row[], top: readonly string[]): Figure {
  const themes = byTheme(counts);
  const ticks = limitsOf(counts);
  const lines = top.map((id, place) => ({
    name: id,
    color: modelColor(place),
    dashed: place >= colors,
    points: (themes.get(id) ?? [])
      .map((row) => ({ x: numberOf(row, 'level'), y: numberOf(row, 'n_with') }))
      .toSorted((a, b) => a.x - b.x),
  }));
  const chart = {
    ...{ lines, marked: true, named: false },
    x: { title: 'word limit', format: 'd', ticks },
    y: { title: 'summaries', format: 'd' },
  };
  return {
    kind: 'figure',
    legend: lines.map(({ name, color, dashed }) => ({
      color,
      text: `${themeName(themes.get(name)?.[0])}${dashed ? ' (dashed)' : ''}`,
    })),
    panels: [{ chart: () => lineSvg(chart) }],
  };
}

function themeTable(counts: readonly Row[], agreement: readonly Row[], top: readonly string[]): DataTable {
  const limits = limitsOf(counts);
  const promptsAt = (limit: number): number =>
    Math.max(0, ...counts.filter((row) => row['level'] === limit).map((row) => numberOf(row, 'n_prompts')));
  const rowOf = (id: string, own: readonly Row[]): (DataCell | string)[] => {
    const agreed = agreement.find((row) => row['theme'] === id);
    const place = top.indexOf(id);
    return [
      `${themeName(own[0])}${place === -1 ? '' : ` (top ${place + 1})`}`,
      ...limits.map((limit) => countCell(own.find((row) => row['level'] === limit))),
      ...['alpha', 'kappa'].map((column) => estimateCell(agreed, column)),
    ];
  };
  return {
    words: 1,
    heads: [
      'Theme',
      ...limits.map((limit) => ({ text: String(limit), under: `of ${countText(promptsAt(limit))}` })),
      ...['Krippendorff’s alpha', 'Cohen’s kappa'],
    ],
    rows: [...byTheme(counts)].map(([id, own]) => rowOf(id, own)),
  };
}

function countCell(row: Row | undefined): DataCell {
  const withTheme = number(numberOrNull(row ?? {}, 'n_with'), 1);
  const interval = estimateOf(row ?? {}, 'share')?.interval ?? null;
  const percent = (value: number): string => (100 * value).toFixed(0);
  return interval === null ? withTheme : { ...withTheme, under: [`${intervalText(interval, percent)} %`] };
}
