/** Verdicts on new versions, what an update trades for what, and verdicts over dated runs. */
import type { RegressionRow } from '../robunfr-board.ts';
import type { HistoryStep } from '../robunfr-history.ts';
import { dataTable } from './data-table.ts';
import { missing, timeText } from './format.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import { percentWithRange, rangeText, ratioText, valueText, valueWithRange } from './robunfr/value-text.ts';
import { updateTradeOffs } from './robunfr/trade-offs.ts';
import { updateTables } from './robunfr/update-tables.ts';
import { measureName, type RobunfrReport, type UpdateSummary } from './robunfr-data.ts';

export async function regressionSections(
  { regressions, updates }: RobunfrReport,
  colorOf: ModelColors,
  severalRuns: boolean,
): Promise<Html> {
  const groups = Map.groupBy(regressions, ({ run, study, old, now }) => JSON.stringify([run, study, old, now]));
  const boards: Html[] = [];
  for (const rows of groups.values()) boards.push(html`${verdictBoard(rows, severalRuns)}${await updateTradeOffs(rows, colorOf)}`);
  return html`${boards}${updates.map((update) => updateSection(update, severalRuns))}`;
}

/** Requirements down, measures across: verdict, change, and what could have been seen. */
function verdictBoard(rows: readonly RegressionRow[], severalRuns: boolean): Html {
  const [first] = rows as readonly [RegressionRow];
  const compared = rows.filter(({ difference }) => difference !== null);
  const measures = [...new Set(compared.map(measureName))];
  const dimensions = [...new Set(compared.map(({ dimension }) => dimension))];
  return html`<section><h2>Study ${first.study}: ${first.old} to ${first.now}</h2>
<p class="note">On ${first.benchmark}${severalRuns ? `, run ${first.run}` : ''}. Old and new AVG, change in percent of the old value, p adjusted over all comparisons, and the smallest difference that could have been seen; intervals in brackets. A mean time is often one task’s time: the verdict on a time is that on the geometric mean of new / old over the tasks; Welch’s p over the phrasings’ means, as published, stands next to it.${first.simulated ? ' Simulated models.' : ''}</p>
<div class="wide"><table class="heat"><thead><tr><th>Requirement</th>${measures.map((measure) => html`<th class="n">${measure}</th>`)}</tr></thead><tbody>
${dimensions.map(
  (dimension) => html`<tr><td>${dimension}</td>${measures.map((measure) =>
    verdictCell(compared.find((row) => row.dimension === dimension && measureName(row) === measure)),
  )}</tr>
`,
)}</tbody></table></div></section>`;
}

const verdictColors: Readonly<Record<string, string>> = { better: 'var(--good)', worse: 'var(--bad)' };
const verdictStyle = (verdict: string): string =>
  verdictColors[verdict] === undefined ? '' : `background:color-mix(in srgb, ${verdictColors[verdict]} 30%, transparent)`;

function verdictCell(row: RegressionRow | undefined): Html {
  if (row === undefined) return html`<td class="n">${missing}</td>`;
  const interval = row.difference?.interval ?? null;
  const range = interval === null ? '' : `difference ${rangeText(row, row.difference)}, ${row.method.replaceAll('_', ' ')}`;
  const change = row.deltaPercent === null ? '' : `, ${percentWithRange(row.deltaPercent, row.deltaRange)}`;
  const ratio = row.ratio === null ? '' : html`<br>task by task × ${ratioText(row.ratio)}`;
  const seen = row.smallestEffect === null ? '' : `, could see ${valueText(row, row.smallestEffect)}`;
  const p = row.pAdjusted === null ? 'no test' : `p ${row.pAdjusted.toPrecision(2)}`;
  const published = row.welchP === null ? '' : `, Welch ${row.welchP.toPrecision(2)}`;
  return html`<td class="n" title="${range}" style="${verdictStyle(row.verdict)}"><b>${row.verdict.replace('_', ' ')}</b>${ratio}<br>${valueWithRange(row, row.oldMean, row.oldRange)} ± ${valueText(row, row.oldStdev)} → ${valueWithRange(row, row.newMean, row.newRange)}${change}<br><span class="range">${p}${published}${seen}</span></td>`;
}

function updateSection(update: UpdateSummary, severalRuns: boolean): Html {
  if (update.ranges.length === 0) return html``;
  return html`<section><h3>${update.old} to ${update.now}${severalRuns ? `, run ${update.run}` : ''}</h3>${updateTables(update).map(dataTable)}</section>`;
}

/** One line per study, model and measure; one column per run. */
export function historySection(history: readonly HistoryStep[]): Html {
  if (history.length === 0) return html``;
  const runs = [...new Map(history.map((step) => [step.run, step])).values()];
  const lines = [
    ...Map.groupBy(history, (step) => JSON.stringify([step.study, step.model, step.workflow, step.dimension, measureName(step)])).values(),
  ];
  return html`<section><h2>Verdicts over runs</h2><p class="note">Each run against the one before, the same model in both; corrected over all comparisons of a step.</p>
<div class="wide"><table class="heat"><thead><tr><th>Study</th><th>Model</th><th>Requirement</th><th>Measure</th>${runs.map((step) => html`<th class="n">${step.run}<br><span class="range">${timeText(step.createdAt)}</span></th>`)}</tr></thead><tbody>
${lines.map((line) => {
  const [first] = line as [HistoryStep, ...HistoryStep[]];
  return html`<tr><td>${first.study}</td><td>${first.model}</td><td>${first.dimension}${first.workflow === 'nfr-enhanced' ? ', enhanced' : ''}</td><td>${measureName(first)}</td>${runs.map(({ run }) => historyCell(line.find((step) => step.run === run)))}</tr>
`;
})}</tbody></table></div></section>`;
}

const historyCell = (step: HistoryStep | undefined): Html =>
  step === undefined
    ? html`<td class="n">${missing}</td>`
    : html`<td class="n" style="${verdictStyle(step.verdict)}">${step.verdict.replace('_', ' ')}<br><span class="range">${valueText(step, step.oldMean)} → ${valueText(step, step.newMean)}${step.ratio === null ? '' : `, × ${ratioText(step.ratio)}`}</span></td>`;
