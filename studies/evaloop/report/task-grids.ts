/** How many loops each model's code for each task lasted, as one grid per study. */
import { type Grid, type GridCell, type GridRow, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { MatrixCell, MatrixTask, TaskMatrix } from './task-matrix.ts';

const about =
  'One row per task, the hardest first. Each cell is the number of loops that the model’s code lasted; darker is ' +
  'longer. ✓: lasted all loops; ×: excluded because of a limit of evenkeel; ·: not finished yet. Underlined ' +
  'cells open the prompts and code.';

export function tasksSection(matrices: readonly TaskMatrix[], context: ReportContext): Section {
  const grids = matrices
    .filter(({ tasks }) => tasks.length > 0)
    .map((matrix, place) => {
      const grid = taskGrid(matrix, context);
      return place === 0 ? { ...grid, note: about } : grid;
    });
  return section('Tasks', grids, { id: 'tasks', name: 'Tasks' });
}

function taskGrid(matrix: TaskMatrix, context: ReportContext): Grid {
  const { run, study, benchmark, setting, maxLoops } = matrix;
  const name = [
    study,
    benchmark,
    ...(setting === 'default' ? [] : [setting]),
    ...(context.severalRuns ? [`run ${run}`] : []),
  ];
  return {
    kind: 'grid',
    title: name.join(', '),
    most: maxLoops,
    models: matrix.models.map((id) => ({ id, simulated: matrix.simulatedModels.includes(id) })),
    rows: matrix.tasks.map((task) => gridRow(task, matrix, context)),
    meanings: {
      '✓': `lasted all ${maxLoops} loops`,
      '×': 'excluded because of a limit of evenkeel',
      '·': 'not finished yet',
    },
    meaning: `lasted # of ${maxLoops} loops`,
  };
}

function gridRow(
  { taskId, prompt, referencePasses, mean, cells }: MatrixTask,
  matrix: TaskMatrix,
  context: ReportContext,
): GridRow {
  return {
    task: taskId,
    words: wordsOf(prompt ?? ''),
    ...(referencePasses === false ? { tag: 'reference fails' } : {}),
    mean,
    cells: cells.map((cell, place) => {
      const example = context.exampleOf({ ...matrix, taskId, model: matrix.models[place] ?? '' });
      return { ...gridCell(cell, matrix.maxLoops), ...(example === undefined ? {} : { example }) };
    }),
  };
}

function gridCell(cell: MatrixCell, maxLoops: number): GridCell {
  if (cell === null) return { text: '·', value: null };
  if (cell === 'excluded') return { text: '×', value: null };
  if (cell === maxLoops) return { text: '✓', value: cell };
  return { text: Number.isInteger(cell) ? String(cell) : cell.toFixed(1), value: cell };
}

const mostWords = 120;

/** The beginning of a problem's text: its docstring, if there is one, without quotes and line breaks. */
function wordsOf(prompt: string): string {
  const docstring = /("""|''')([\s\S]*?)(\1|$)/.exec(prompt)?.[2] ?? prompt;
  const words = docstring.replaceAll(/\s+/g, ' ').trim();
  return words.length > mostWords ? `${words.slice(0, mostWords)}…` : words;
}
