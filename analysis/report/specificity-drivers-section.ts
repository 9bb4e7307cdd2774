/** What became of programs with a driver (ParEval): outcomes kept apart, pragmas, speed-up. */
import type { Row } from '../../schemas/tables.ts';
import { countText, missing } from './format.ts';
import { type Html, html } from './html.ts';
import type { SpecificityStudyReport } from './specificity-data.ts';

/** The last two name what is left. */
const columns = [
  ['pass', ['pass']],
  ['wrong output', ['wrong_output']],
  ['not built', ['compile_error', 'build_timeout']],
  ['hung', ['cpu_timeout', 'wall_timeout']],
  ['flaky', ['flaky']],
  ['crashed, ended early', ['exception', 'early_exit', 'killed', 'memory', 'output_limit']],
  ['no code', ['no_code']],
] as const;

/** Nothing where no program of the study was run with a driver. */
export function driversSection({ drivers: { outcomes, speedups, pragmas } }: SpecificityStudyReport): Html {
  if (speedups.length === 0 && outcomes.length === 0) return html``;
  const models = [...new Set(outcomes.map((row) => String(row['model'])))];
  return html`<h3>Programs with a driver</h3><p class="note">Answers by what became of them; flaky: runs with one thread count disagree, as those with a race do. Programs could forge a pass (lane assert).</p>
<div class="wide"><table><thead><tr><th>Model</th>${columns.map(([name]) => html`<th class="n">${name}</th>`)}<th class="n">without an OpenMP pragma</th></tr></thead><tbody>
${models.map(
  (model) =>
    html`<tr><td>${model}</td>${columns.map(([, names]) => html`<td class="n">${countText(sumOf(outcomes, model, names))}</td>`)}<td class="n">${pragmaText(pragmas.find((row) => row['model'] === model))}</td></tr>
`,
)}</tbody></table></div>${speedupTable(speedups)}`;
}

const sumOf = (rows: readonly Row[], model: string, names: readonly string[]): number =>
  rows.filter((row) => row['model'] === model && names.includes(String(row['outcome']))).reduce((sum, row) => sum + Number(row['n']), 0);

const pragmaText = (row: Row | undefined): string =>
  row === undefined || Number(row['asked']) === 0 ? missing : `${countText(Number(row['without']))} of ${countText(Number(row['asked']))}`;

function speedupTable(rows: readonly Row[]): Html {
  if (rows.length === 0) return html``;
  const number = (row: Row, column: string): string => (typeof row[column] === 'number' ? row[column].toFixed(2) : missing);
  return html`<p class="note">Speed-up over the driver’s own sequential code, of runs that passed: median over programs, each by the mean of its repeats, with quartiles.${rows.some((row) => row['alone'] === false) ? ' Other programs ran meanwhile: these times say little.' : ''}</p>
<div class="wide"><table><thead><tr><th>Model</th><th>Kind</th><th class="n">Threads</th><th class="n">Programs</th><th class="n">Speed-up</th></tr></thead><tbody>
${rows.map(
  (row) =>
    html`<tr><td>${String(row['model'])}</td><td>${row['parallelism'] === 'omp' ? 'OpenMP' : 'serial'}</td><td class="n">${String(row['threads'])}</td><td class="n">${countText(Number(row['programs']))}</td><td class="n">${number(row, 'median')}<br><span class="range">${number(row, 'low')} – ${number(row, 'high')}</span></td></tr>
`,
)}</tbody></table></div>`;
}
