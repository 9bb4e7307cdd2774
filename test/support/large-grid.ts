/** A grid of many models and tasks, made by a rule: cell (task, model, condition) is known without reading the grid. */
import { shareCell, shareScale } from '../../analysis/report/matrix/share-cell.ts';
import type { Grid } from '../../analysis/report/part.ts';

/** Of five answers. */
export const passedIn = (task: number, model: number, condition: number): number =>
  (task * task + task * model + 5 * model + 2 * condition) % 6;

export const taskName = (task: number): string => `Task/${task}`;
export const modelName = (model: number): string => `model-${String(model).padStart(2, '0')}-large-instruct`;

export function largeGrid(models: number, tasks: number, conditions: number): Grid {
  const places = (count: number): number[] => Array.from({ length: count }, (_, place) => place);
  return {
    kind: 'grid',
    title: 'Many',
    models: places(models).map((model) => ({ id: modelName(model), simulated: false })),
    conditions: places(conditions).map((place) => ({ name: `Phrasing ${place + 1}`, ...shareScale })),
    varies: 'phrasings',
    rows: places(tasks).map((task) => ({
      task: taskName(task),
      words: `Write function number ${task}.`,
      cells: places(conditions).map((condition) =>
        places(models).map((model) => shareCell({ passed: passedIn(task, model, condition), counted: 5, excluded: 0 })),
      ),
    })),
    examples: [{ id: 'abc', task: taskName(1), model: modelName(0), condition: 0 }],
  };
}
