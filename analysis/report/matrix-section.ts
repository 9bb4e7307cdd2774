import { countText, missing } from './format.ts';
import { type Html, html } from './html.ts';
import type { MatrixCell, MatrixTask, TaskMatrix } from './task-matrix.ts';

/** Beyond this the page would be slow to open; the hardest tasks are kept. */
const mostCells = 40_000;
/** With more models there is no room for the tasks' words. */
const mostModelsWithWords = 16;
const mostWords = 120;

/** The id of a cell's example, where the page holds one. */
export type ExampleLink = (matrix: TaskMatrix, taskId: string, model: string) => string | undefined;

/** Tasks down, models across: which task each model sustained for how long. */
export function matrixSection(matrices: readonly TaskMatrix[], severalRuns: boolean, linkOf: ExampleLink): Html {
  const filled = matrices.filter(({ tasks }) => tasks.length > 0);
  if (filled.length === 0) return html``;
  return html`<section id="tasks"><h2>Tasks</h2>
<p class="note">Each row is a task, the hardest first; each cell the number of loops that the model's code for it lasted, the deeper the colour the longer. <b>✓</b> lasted all loops, <b>×</b> left out by a limit of ours, <b>·</b> not there yet. An underlined cell opens its prompts and code.</p>
${filled.map((matrix) => matrixBlock(matrix, severalRuns, linkOf))}</section>`;
}

function matrixBlock(matrix: TaskMatrix, severalRuns: boolean, linkOf: ExampleLink): Html {
  const { run, study, benchmark, setting, models, maxLoops } = matrix;
  const simulated = new Set(matrix.simulatedModels);
  const name = [study, benchmark, ...(setting === 'default' ? [] : [setting]), ...(severalRuns ? [`run ${run}`] : [])].join(', ');
  const tasks = matrix.tasks.slice(0, Math.max(1, Math.floor(mostCells / models.length)));
  const withWords = models.length <= mostModelsWithWords;
  return html`<div class="matrix" data-most="${maxLoops}"><h3>${name}</h3>
<div class="filters" hidden><label>Tasks <input type="search" data-filter="rows" placeholder="number or words" autocomplete="off"></label>${modelFilter(models)}<span class="count" role="status"></span></div>
<p class="readout" aria-live="polite">${tasks.length === matrix.tasks.length ? '' : `the hardest ${countText(tasks.length)} of `}${countText(matrix.tasks.length)} tasks × ${countText(models.length)} models; ${scale(maxLoops)}${matrix.simulatedModels.length === 0 ? '' : ' * simulated'}</p>
<div class="grid-box" role="region" aria-label="Tasks of ${name}" tabindex="0"><table class="grid"><thead><tr><th data-sort="text">Task</th>${withWords ? html`<th class="words">What it asks for</th>` : ''}<th class="n" data-sort="number">Mean</th>${models.map((model) => modelHead(model, simulated.has(model)))}</tr></thead><tbody>
${tasks.map((task) => taskRow(matrix, task, withWords, linkOf))}</tbody></table></div>${printNote(tasks.length)}</div>`;
}

const modelHead = (model: string, simulated: boolean): Html =>
  html`<th class="up" scope="col" data-model="${model}"><span>${model}${simulated ? ' *' : ''}</span></th>`;

const modelFilter = (models: readonly string[]): Html =>
  models.length > mostModelsWithWords
    ? html` <label>Models <input type="search" data-filter="columns" placeholder="part of a name" autocomplete="off"></label>`
    : html``;

const scale = (maxLoops: number): Html =>
  html`<span class="scale" aria-hidden="true">0 ${Array.from({ length: 11 }, (_, step) => html`<i class="k${step}"></i>`)} ${maxLoops}</span>`;

const printNote = (tasks: number): Html =>
  tasks > 60 ? html`<p class="note print-only">On paper: the first 60 of ${countText(tasks)} rows.</p>` : html``;

function taskRow(matrix: TaskMatrix, task: MatrixTask, withWords: boolean, linkOf: ExampleLink): Html {
  const words = wordsOf(task.prompt ?? '');
  const mark = task.referencePasses === false ? html`<span class="tag ceiling">reference fails</span>` : html``;
  const told = withWords ? html`<td class="words">${words}</td>` : html``;
  const mean = html`<td class="n" data-v="${task.mean ?? ''}">${task.mean === null ? missing : task.mean.toFixed(1)}</td>`;
  const cells = task.cells.map((cell, index) => matrixCell(cell, matrix, linkOf(matrix, task.taskId, matrix.models[index] ?? '')));
  return html`<tr><th scope="row" data-v="${task.taskId}" title="${words}">${task.taskId}${mark}</th>${told}${mean}${cells}</tr>
`;
}

function matrixCell(cell: MatrixCell, { maxLoops }: TaskMatrix, example: string | undefined): Html {
  const text = cellText(cell, maxLoops);
  const shown = example === undefined ? html`${text}` : html`<a href="#x-${example}">${text}</a>`;
  return typeof cell === 'number' ? html`<td class="k${Math.round((10 * cell) / maxLoops)}">${shown}</td>` : html`<td>${shown}</td>`;
}

function cellText(cell: MatrixCell, maxLoops: number): string {
  if (cell === null) return '·';
  if (cell === 'excluded') return '×';
  if (cell === maxLoops) return '✓';
  return Number.isInteger(cell) ? String(cell) : cell.toFixed(1);
}

/** The first words of a problem: what stands in the docstring, if there is one, without quotes and line breaks. */
function wordsOf(prompt: string): string {
  const docstring = /("""|''')([\s\S]*?)(\1|$)/.exec(prompt)?.[2] ?? prompt;
  const words = docstring.replaceAll(/\s+/g, ' ').trim();
  return words.length > mostWords ? `${words.slice(0, mostWords)}…` : words;
}
