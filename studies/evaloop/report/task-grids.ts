/** How many loops each model's code for each task lasted, and the loops that it passed: one grid per study. */
import { excludedCell, shareCell, shareScale, unfinishedCell } from '../../../analysis/report/matrix/share-cell.ts';
import { taskWords } from '../../../analysis/report/matrix/task-words.ts';
import {
  type Grid,
  type GridCell,
  type GridCondition,
  type GridRow,
  type Section,
  section,
} from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { LastedLoops } from './lasted-loops.ts';
import type { MatrixCell, MatrixTask, TaskMatrix } from './task-matrix.ts';

const about =
  'One row per task, the hardest first. Each cell is the number of loops that the model’s code lasted; darker is ' +
  'longer. ✓: lasted all loops; ×: excluded, since it could not be judged; ·: not finished yet. Underlined ' +
  'cells open the prompts and code.';

export function tasksSection(matrices: readonly TaskMatrix[], lasted: LastedLoops, context: ReportContext): Section {
  const grids = matrices
    .filter(({ tasks }) => tasks.length > 0)
    .map((matrix, place) => {
      const grid = taskGrid(matrix, lasted, context);
      return place === 0 ? { ...grid, note: about } : grid;
    });
  return section('Tasks', grids, { id: 'tasks', name: 'Tasks' });
}

function taskGrid(matrix: TaskMatrix, lasted: LastedLoops, context: ReportContext): Grid {
  const { run, study, benchmark, setting, maxLoops } = matrix;
  const name = [
    study,
    benchmark,
    ...(setting === 'default' ? [] : [setting]),
    ...(context.severalRuns ? [`run ${run}`] : []),
  ];
  const cellOf = loopCells(maxLoops);
  return {
    kind: 'grid',
    title: name.join(', '),
    models: matrix.models.map((id) => ({ id, simulated: matrix.simulatedModels.includes(id) })),
    conditions: conditions(maxLoops),
    varies: 'loops',
    rows: matrix.tasks.map((task) => gridRow(task, matrix, cellOf, lasted)),
    examples: matrix.tasks.flatMap(({ taskId }) =>
      matrix.models.flatMap((model) => {
        const id = context.exampleOf({ ...matrix, taskId, model });
        return id === undefined ? [] : [{ id, task: taskId, model, condition: null }];
      }),
    ),
  };
}

const conditions = (maxLoops: number): GridCondition[] => [
  { name: 'Loops lasted', most: maxLoops, passes: maxLoops, passing: `lasts all ${maxLoops} loops`, sum: true },
  ...Array.from({ length: maxLoops }, (_, loop) => ({
    ...shareScale,
    name: `Loop ${loop + 1}`,
    passing: 'passes the loop, in at least half of its repetitions',
  })),
];

function gridRow(
  { taskId, prompt, referencePasses, cells }: MatrixTask,
  matrix: TaskMatrix,
  cellOf: (cell: MatrixCell) => GridCell,
  lasted: LastedLoops,
): GridRow {
  const reached = matrix.models.map((model) => lasted({ ...matrix, taskId, model }));
  const inLoop = (loop: number, place: number): GridCell => {
    const own = reached[place] ?? { loops: [], excluded: 0 };
    const passed = own.loops.filter((loops) => loops >= loop).length;
    return shareCell({ passed, counted: own.loops.length, excluded: own.excluded });
  };
  return {
    task: taskId,
    words: taskWords(prompt ?? ''),
    ...(referencePasses === false ? { tag: 'reference fails' } : {}),
    cells: [
      cells.map(cellOf),
      ...Array.from({ length: matrix.maxLoops }, (_, loop) => cells.map((_, place) => inLoop(loop + 1, place))),
    ],
  };
}

/** The same object for the same number of loops. */
function loopCells(maxLoops: number): (cell: MatrixCell) => GridCell {
  const known = new Map<number, GridCell>();
  return (cell) => {
    if (cell === null) return unfinishedCell;
    if (cell === 'excluded') return excludedCell;
    const found = known.get(cell) ?? loopCell(cell, maxLoops);
    known.set(cell, found);
    return found;
  };
}

function loopCell(loops: number, maxLoops: number): GridCell {
  const number = Number.isInteger(loops) ? String(loops) : loops.toFixed(1);
  return loops === maxLoops
    ? { text: '✓', value: loops, meaning: `lasted all ${maxLoops} loops` }
    : { text: number, value: loops, meaning: `lasted ${number} of ${maxLoops} loops` };
}
