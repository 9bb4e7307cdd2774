/** A grid of answers that pass or fail: tasks by model, and within a model by condition. */
import { type Grid, type GridCell, type GridCondition, type GridRow, type Section, section } from '../part.ts';
import type { HeldExample, ReportContext } from '../study-report.ts';
import { type AnswerCounts, isOfGrid } from './answer-counts.ts';
import { type Answers, shareCell, shareScale } from './share-cell.ts';
import { taskWords } from './task-words.ts';

/** A condition as a grid shows it. Of several keys it sums up the answers, and has a note that it is a sum. */
export interface ShownCondition {
  readonly name: string;
  readonly keys: readonly string[];
  /** Key of the condition that has the answers to all of these, if some of these may count where not all do. */
  readonly total?: string;
}

export interface AnswerGrids {
  /** Ids in the order of the study's main table; others follow. */
  readonly models: readonly string[];
  /** What the conditions are, in the plural: `phrasings`. */
  readonly varies: string;
  /** What a cell is, for the note above the first grid. */
  readonly about: string;
  /** The conditions in the order to show them; the first is shown first. */
  conditions(counts: AnswerCounts): readonly ShownCondition[];
  /** The key of the condition that an example is of. */
  keyOf(example: HeldExample): string;
}

const howToRead =
  'Darker is better; ✓: all pass; ×: excluded, since it could not be judged; ·: not finished yet. Tasks with the ' +
  'fewest passes come first, and two compared columns show first where they differ. Underlined cells open an example.';

/** @param id of the section */
export function answerGrids(
  all: readonly AnswerCounts[],
  asked: AnswerGrids,
  context: ReportContext,
  id: string,
): Section {
  const grids = all.map((counts, place) => {
    const grid = answerGrid(counts, asked, context);
    return place === 0 ? { ...grid, note: `One row per task. ${asked.about} ${howToRead}` } : grid;
  });
  return section('Tasks', grids, { id, name: 'Tasks' });
}

function answerGrid(counts: AnswerCounts, asked: AnswerGrids, context: ReportContext): Grid {
  const { run, study, benchmark, language, grid, tasks } = counts;
  const shown = asked.conditions(counts);
  const models = [...new Set([...asked.models.filter((id) => counts.models.includes(id)), ...counts.models])];
  const more = [...(grid === '' ? [] : [grid]), ...(language === 'python' ? [] : [language])];
  const rows = tasks.map(({ taskId, prompt, referencePasses }): GridRow & { mean: number } => {
    const cells = shown.map(({ keys, total }) =>
      models.map((model) =>
        cellOf((total === undefined ? keys : [total]).flatMap((key) => counts.of(taskId, model, key) ?? [])),
      ),
    );
    const tag = referencePasses === false ? { tag: 'reference fails' } : {};
    return { task: taskId, words: taskWords(prompt ?? ''), ...tag, cells, mean: meanOf(cells[0] ?? []) };
  });
  return {
    kind: 'grid',
    title: [study, benchmark, ...more, ...(context.severalRuns ? [`run ${run}`] : [])].join(', '),
    models: models.map((model) => ({ id: model, simulated: context.model(run, model).model?.simulated === true })),
    conditions: shown.map(conditionOf),
    varies: asked.varies,
    rows: rows.toSorted((a, b) => a.mean - b.mean || naturalOrder.compare(a.task, b.task)),
    examples: examplesOf(counts, shown, asked, context),
  };
}

const naturalOrder = new Intl.Collator('en', { numeric: true });

/** Tasks without any value come last. */
function meanOf(cells: readonly GridCell[]): number {
  const values = cells.flatMap(({ value }) => value ?? []);
  return values.length === 0 ? Infinity : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const conditionOf = ({ name, keys }: ShownCondition): GridCondition => ({
  ...shareScale,
  name,
  ...(keys.length > 1 ? { sum: true } : {}),
});

function cellOf(answers: readonly Answers[]): GridCell {
  const total = (count: keyof Answers): number => answers.reduce((sum, own) => sum + own[count], 0);
  return shareCell({ passed: total('passed'), counted: total('counted'), excluded: total('excluded') });
}

/** Each under its own condition, and one of each task and model under every condition that sums up. */
function examplesOf(
  counts: AnswerCounts,
  shown: readonly ShownCondition[],
  { keyOf }: AnswerGrids,
  { examples }: ReportContext,
): Grid['examples'] {
  const own = examples.filter((example) => isOfGrid(example, counts));
  const found = new Map<string, Grid['examples'][number]>();
  for (const example of own) {
    const key = keyOf(example);
    for (const [condition, { keys }] of shown.entries()) {
      const name = JSON.stringify([example.taskId, example.model, condition]);
      if (!keys.includes(key) || found.has(name)) continue;
      found.set(name, { id: example.id, task: example.taskId, model: example.model, condition });
    }
  }
  return [...found.values()];
}
