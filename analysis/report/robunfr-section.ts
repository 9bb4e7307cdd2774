/** The report's part on RobuNFR: what requirements, versions and workflows do to each model's code. */
import { solutionMetrics } from '../../domain/metrics/solution-metrics.ts';
import type { NfrRow } from '../robunfr-board.ts';
import { dataTable } from './data-table.ts';
import { countText, missing, shareText } from './format.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import { modelName } from './model-name.ts';
import { measureName, type PhrasingValue, type RobunfrReport } from './robunfr-data.ts';
import { failuresSection } from './robunfr-failures-section.ts';
import { publishedNfr } from './robunfr-published-section.ts';
import { historySection, regressionSections } from './robunfr-regression-section.ts';
import { requirementTradeOffs } from './robunfr/trade-offs.ts';
import { percentRange, percentText, rangeText, ratioText, valueText } from './robunfr/value-text.ts';
import { workflowTable, workflowTimesTable } from './robunfr/workflow-table.ts';

export const robunfrMethod = [
  'RobuNFR asks for the same function plainly (Function-Only) and with a requirement in many phrasings: in one prompt (NFR-Integrated), or as an improvement of the plain code (NFR-Enhanced). Each phrasing has one value over all tasks: the share that passes a suite, messages or statements per ten lines of code, or the mean time. AVG and STDEV are over the phrasings (n - 1); Function-Only’s are over its repetitions, so its STDEV is noise from run to run. A change is in percent of Function-Only.',
  'Intervals are Gaffke’s bounds over tasks (of what has no bounds, within as far again as the tasks seen lie apart); those of STDEV are over the phrasings, for these tasks: chi-square with fewer degrees of freedom for kurtosis, and Bonett’s (from the lower to the upper end of both). Times have a ratio too: the geometric mean over tasks of the time with the requirement over Function-Only’s, so that one slow task decides nothing. Two versions are compared task by task: intervals are Gaffke’s bounds over tasks, tests are a permutation that swaps the versions (of times by the logarithms of new / old), McNemar’s exact test where there is one prompt for each task; Welch’s test over the phrasings’ means stands next to times as published and decides nothing; p is adjusted by Holm over all comparisons of a pair. Better and worse are significant differences; no change is an interval within the margin; everything else is inconclusive, and the smallest effect says what could have been seen.',
] as const;

/** Nothing where no run has such a study. */
export async function robunfrSection(report: RobunfrReport, colorOf: ModelColors, severalRuns: boolean): Promise<Html> {
  if (report.summaries.length === 0) return html``;
  const studies = Map.groupBy(report.summaries, ({ run, study }) => JSON.stringify([run, study]));
  const sections: Html[] = [];
  for (const rows of studies.values()) sections.push(await studySection(rows, report, colorOf, severalRuns));
  return html`<div id="requirements">${sections}
${await regressionSections(report, colorOf, severalRuns)}${historySection(report.history)}${failuresSection(report, severalRuns)}${publishedNfr(report)}
<section><h3>How to read requirements</h3>${robunfrMethod.map((paragraph) => html`<p>${paragraph}</p>`)}</section></div>`;
}

async function studySection(rows: readonly NfrRow[], report: RobunfrReport, colorOf: ModelColors, severalRuns: boolean): Promise<Html> {
  const [first] = rows as readonly [NfrRow];
  const measured = rows.filter(({ mean }) => mean !== null);
  const reasons = [...new Set(rows.flatMap(({ mean, reason }) => (mean === null && reason !== null ? [reason] : [])))];
  const phrasings = report.phrasings.filter(({ run, study }) => run === first.run && study === first.study);
  const averages = report.workflows.filter(({ run, study }) => run === first.run && study === first.study);
  const tables = [workflowTable(averages), workflowTimesTable(averages)].filter((table) => table !== null);
  return html`<section><h2>Study ${first.study}: requirements</h2>
<p class="note">On ${first.benchmark}${severalRuns ? `, run ${first.run}` : ''}; intervals 95 %. ${reasons.map((reason) => `${measuresWithout(rows, reason)}: ${reason}. `)}</p>
<h3>Change against Function-Only</h3>${heatMap(measured, colorOf)}
${await titled('What is paid for what', requirementTradeOffs(measured, colorOf))}
<h3>Spread over the phrasings</h3>${spreads(measured, phrasings, colorOf)}
${tables.map(dataTable)}
<details><summary>All values, with intervals, ceilings and counts</summary>${valueTable(measured, colorOf)}</details></section>`;
}

/** A part with its heading; neither where it is empty. */
async function titled(title: string, part: Promise<Html>): Promise<Html> {
  const made = await part;
  return made.markup === '' ? made : html`<h3>${title}</h3>${made}`;
}

const measuresWithout = (rows: readonly NfrRow[], reason: string): string =>
  [...new Set(rows.filter((row) => row.mean === null && row.reason === reason).map(measureName))].join(', ');

const isPlain = ({ dimension }: { readonly dimension: string }): boolean => dimension === 'function-only';
const requirementName = (row: NfrRow): string => (isPlain(row) ? missing : row.dimension);
const workflowName = (workflow: string): string => workflow.replace('nfr-', '');

/** One line per model, workflow and requirement, one column per measure; good is green, loss is orange, the strength is the size. */
function heatMap(rows: readonly NfrRow[], colorOf: ModelColors): Html {
  const asked = rows.filter((row) => !isPlain(row));
  const measures = [...new Set(asked.map(measureName))];
  const lines = [...Map.groupBy(asked, ({ model, workflow, dimension }) => JSON.stringify([model, workflow, dimension])).values()];
  return html`<div class="wide"><table class="close"><thead><tr><th>Model</th><th>Workflow</th><th>Requirement</th>${measures.map((measure) => html`<th class="n">${measure}</th>`)}</tr></thead><tbody>
${lines.map((line) => {
  const [first] = line as [NfrRow, ...NfrRow[]];
  return html`<tr><td class="name">${modelName(first.model, colorOf(first.model), first.simulated)}</td><td>${workflowName(first.workflow)}</td><td>${first.dimension}</td>${measures.map((measure) => heatCell(line.find((row) => measureName(row) === measure)))}</tr>
`;
})}</tbody></table></div>`;
}

function heatCell(row: NfrRow | undefined): Html {
  const change = row?.deltaPercent ?? null;
  if (row === undefined || row.mean === null) return html`<td class="n">${missing}</td>`;
  if (change === null) return html`<td class="n" title="no change in percent of nothing">${fromNothing(row, row.mean.value)}</td>`;
  const range = change.interval === null ? '' : `, interval ${percentRange(change)} %`;
  return html`<td class="n" title="${`${measureName(row)} ${valueText(row, row.mean?.value)} ± ${valueText(row, row.stdev)}${range}`}" style="background:${heatColor(row.metric, change.value)}">${percentText(change.value, 1)}</td>`;
}

/** Where plain code has none, there is no change in percent. */
const fromNothing = (row: NfrRow, value: number): string => (value === 0 ? '0' : `0 → ${valueText(row, value)}`);

/** Full strength at half of the old value; nothing at no change. */
function heatColor(metric: string, change: number): string {
  const direction = Object.entries(solutionMetrics).find(([name]) => name === metric)?.[1].direction ?? 'higher';
  const strength = Math.round(Math.min(1, Math.abs(change) / 50) * 45);
  const good = change > 0 === (direction === 'higher');
  return `color-mix(in srgb, var(--${good ? 'good' : 'bad'}) ${strength}%, transparent)`;
}

function valueTable(rows: readonly NfrRow[], colorOf: ModelColors): Html {
  return html`<div class="wide"><table><thead><tr><th data-sort="text">Model</th><th data-sort="text">Workflow</th><th data-sort="text">Requirement</th><th data-sort="text">Measure</th><th class="n" data-sort="number">AVG</th><th class="n">interval</th><th class="n" data-sort="number">STDEV</th><th class="n">interval</th><th class="n" data-sort="number">Change</th><th class="n">interval</th><th class="n" data-sort="number">Ratio of times</th><th class="n" data-sort="number">Ceiling</th><th class="n" data-sort="number">Tasks</th><th class="n" data-sort="number">n</th><th class="n" data-sort="number">Excluded</th></tr></thead><tbody>
${rows.map((row) => valueRow(row, colorOf))}</tbody></table></div>`;
}

function valueRow(row: NfrRow, colorOf: ModelColors): Html {
  const change = isPlain(row) ? null : row.deltaPercent;
  return html`<tr><td class="name" data-v="${row.model}">${modelName(row.model, colorOf(row.model), row.simulated)}</td><td>${workflowName(row.workflow)}</td><td>${requirementName(row)}</td><td>${measureName(row)}</td>
<td class="n" data-v="${row.mean?.value ?? ''}">${valueText(row, row.mean?.value)}</td><td class="n">${rangeText(row, row.mean)}</td><td class="n" data-v="${row.stdev ?? ''}">${valueText(row, row.stdev)}</td><td class="n">${rangeText(row, row.spread)}</td>
<td class="n" data-v="${change?.value ?? ''}">${percentText(change?.value, 1)}</td><td class="n">${percentRange(change)}</td><td class="n" data-v="${row.ratio?.value ?? ''}">${ratioText(row.ratio)}</td><td class="n">${row.ceiling === null ? missing : shareText(row.ceiling / 100)}</td><td class="n">${row.nTasks ?? missing}</td><td class="n" data-v="${row.n}">${countText(row.n)}</td><td class="n" data-v="${row.nExcluded}">${countText(row.nExcluded)}</td></tr>
`;
}

/** A dot for each phrasing on a line of its measure's whole extent, a tick at AVG. */
function spreads(rows: readonly NfrRow[], phrasings: readonly PhrasingValue[], colorOf: ModelColors): Html {
  const measures = [...new Set(rows.map(measureName))];
  const lines = [...Map.groupBy(rows, ({ model, workflow, dimension }) => JSON.stringify([model, workflow, dimension])).values()];
  const extentText = (measure: string): string => {
    const [row, extent] = [rows.find((one) => measureName(one) === measure), extents.get(measure)];
    return row === undefined || extent === undefined ? '' : `${valueText(row, extent[0])} to ${valueText(row, extent[1])}`;
  };
  const extents = new Map(measures.map((measure) => [measure, extentOf(phrasings.filter((value) => measureName(value) === measure))]));
  return html`<div class="wide"><table class="close"><thead><tr><th>Model</th><th>Workflow</th><th>Requirement</th>${measures.map((measure) => html`<th>${measure}<br><span class="range">${extentText(measure)}</span></th>`)}</tr></thead><tbody>
${lines.map((line) => {
  const [first] = line as [NfrRow, ...NfrRow[]];
  return html`<tr><td class="name">${modelName(first.model, colorOf(first.model), first.simulated)}</td><td>${workflowName(first.workflow)}</td><td>${requirementName(first)}</td>${measures.map(
    (measure) => html`<td>${strip(valuesOf(phrasings, first, measure), extents.get(measure), colorOf(first.model))}</td>`,
  )}</tr>
`;
})}</tbody></table></div>`;
}

const valuesOf = (phrasings: readonly PhrasingValue[], { model, workflow, dimension }: NfrRow, measure: string): readonly PhrasingValue[] =>
  phrasings.filter(
    (value) => value.model === model && value.workflow === workflow && value.dimension === dimension && measureName(value) === measure,
  );

type Extent = readonly [number, number];

function extentOf(values: readonly PhrasingValue[]): Extent {
  const all = values.map(({ value }) => value);
  return [Math.min(...all), Math.max(...all)];
}

function strip(values: readonly PhrasingValue[], extent: Extent | undefined, color: string): Html {
  if (values.length === 0 || extent === undefined) return html`${missing}`;
  const [least, most] = extent;
  const at = (value: number): string => (most === least ? 70 : 6 + (128 * (value - least)) / (most - least)).toFixed(1);
  const mean = values.reduce((sum, { value }) => sum + value, 0) / values.length;
  const title = values.map((value) => `${value.phrasing ?? 'plain'}: ${valueText(value, value.value)}`).join('\n');
  return html`<svg class="strip" viewBox="0 0 140 18" width="140" height="18" role="img" aria-label="${`${values.length} values, mean ${valueText(values[0] ?? { metric: '' }, mean)}`}"><title>${title}</title><line x1="6" x2="134" y1="9" y2="9" stroke="var(--line)"/>${values.map(
    ({ value }) => html`<circle cx="${at(value)}" cy="9" r="3.5" fill="${color}" opacity=".45"/>`,
  )}<line x1="${at(mean)}" x2="${at(mean)}" y1="2" y2="16" stroke="${color}" stroke-width="2"/></svg>`;
}
