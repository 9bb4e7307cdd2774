/** Averages over the models, by workflow: the form of tables 5 and 6 of the paper. */
import { missing } from './format.ts';
import { type Html, html } from './html.ts';
import { percentText, valueText } from './robunfr/value-text.ts';
import { measureName, type WorkflowAverage } from './robunfr-data.ts';

/** Nothing unless there are several models or both workflows. */
export function workflowSection(averages: readonly WorkflowAverage[]): Html {
  const workflows = new Set(averages.map(({ workflow }) => workflow));
  const models = Math.max(0, ...averages.map((row) => row.models));
  if (workflows.size < 3 && models < 2) return html``;
  const measures = [...new Set(averages.map(measureName))];
  const lines = [...Map.groupBy(averages, ({ workflow, dimension }) => JSON.stringify([workflow, dimension])).values()];
  return html`<h3>Averages over ${models} model${models === 1 ? '' : 's'}, by workflow</h3>
<div class="wide"><table><thead><tr><th>Workflow</th><th>Requirement</th>${measures.map((measure) => html`<th class="n">${measure}</th><th class="n">change</th>`)}</tr></thead><tbody>
${lines.map((line) => {
  const [first] = line as [WorkflowAverage, ...WorkflowAverage[]];
  return html`<tr><td>${first.workflow}</td><td>${first.dimension}</td>${measures.map((measure) => cells(line.find((row) => measureName(row) === measure)))}</tr>
`;
})}</tbody></table></div>`;
}

function cells(row: WorkflowAverage | undefined): Html {
  if (row === undefined) return html`<td class="n">${missing}</td><td class="n">${missing}</td>`;
  const spread = row.stdev === null ? '' : ` ± ${valueText(row, row.stdev)}`;
  return html`<td class="n">${valueText(row, row.mean)}${spread}</td><td class="n">${row.dimension === 'function-only' ? missing : percentText(row.deltaPercent)}</td>`;
}
