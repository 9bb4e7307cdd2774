/** How much the phrasings of a requirement differ, and the repetitions of plain code. */
import { missing } from '../../../analysis/report/format.ts';
import { type Html, html } from '../../../analysis/report/html.ts';
import type { DataCell, DataTable, Head } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { NfrRow } from '../results/board.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { PhrasingValue } from './data.ts';
import { groupsBy } from './groups.ts';
import { measureName, measuresOf, requirementName, workflowName } from './names.ts';
import { rangeText, valueText } from './value-text.ts';

/** A measure with all its values in one study. */
interface Extent {
  readonly measure: string;
  readonly values: readonly PhrasingValue[];
  readonly least: number;
  readonly most: number;
}

/** One line per model, workflow and requirement, one column per measure. @param rows,phrasings of one study */
export function spreadsTable(
  rows: readonly NfrRow[],
  phrasings: readonly PhrasingValue[],
  context: ReportContext,
): DataTable {
  const extents = measuresOf(rows).map((measure) => extentOf(measure, phrasings));
  return {
    words: 3,
    heads: ['Model', 'Workflow', 'Requirement', ...extents.map(headOf)],
    rows: groupsBy(rows, ({ model, workflow, dimension }) => [model, workflow, dimension]).map(([first]) => [
      context.model(first.run, first.model),
      workflowName(first.workflow),
      requirementName(first),
      ...extents.map((extent) => spreadCell(extent, first, context.colorOf(first.model))),
    ]),
    look: 'close',
  };
}

function extentOf(measure: string, phrasings: readonly PhrasingValue[]): Extent {
  const values = phrasings.filter((value) => measureName(value) === measure);
  const all = values.map(({ value }) => value);
  return { measure, values, least: Math.min(...all), most: Math.max(...all) };
}

const headOf = ({ measure, values: [first], least, most }: Extent): Head => ({
  text: measure,
  words: true,
  meaning: 'One dot per phrasing, a bar at their mean, from the least to the greatest value of all models',
  ...(first === undefined ? {} : { under: rangeText(first, { lo: least, hi: most }) }),
});

function spreadCell(extent: Extent, { model, workflow, dimension }: NfrRow, color: string): DataCell {
  const own = extent.values.filter(
    (one) => one.model === model && one.workflow === workflow && one.dimension === dimension,
  );
  const [first] = own;
  if (first === undefined) return { text: missing, value: null };
  const values = own.map(({ value }) => value);
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  return {
    text: lo === hi ? valueText(first, lo) : rangeText(first, { lo, hi }),
    value: hi - lo,
    n: `${values.length} values`,
    drawing: strip(own, extent, color),
  };
}

const middle = 70;
const [left, width] = [6, 128];

/** One dot per phrasing on a line with the measure's whole range, and a tick at AVG. */
function strip(values: readonly PhrasingValue[], { least, most }: Extent, color: string): Html {
  const at = (value: number): string =>
    (most === least ? middle : left + (width * (value - least)) / (most - least)).toFixed(1);
  const average = mean(values.map(({ value }) => value)) ?? least;
  const label = `${values.length} values, mean ${valueText(values[0] ?? { metric: '' }, average)}`;
  const title = values.map((value) => `${value.phrasing ?? 'plain'}: ${valueText(value, value.value)}`).join('\n');
  const dots = values.map(
    ({ value }) => html`<circle cx="${at(value)}" cy="9" r="3.5" fill="${color}" opacity=".45"/>`,
  );
  const tick = html`<line x1="${at(average)}" x2="${at(average)}" y1="2" y2="16" stroke="${color}" stroke-width="2"/>`;
  const line = html`<line x1="${left}" x2="${left + width}" y1="9" y2="9" stroke="var(--line)"/>`;
  const size = html`viewBox="0 0 140 18" width="140" height="18"`;
  return html`<svg class="strip" ${size} role="img" aria-label="${label}"><title>${title}</title>
${line}${dots}${tick}</svg>`;
}
