/** pass@1 of first answers to unchanged prompts, for cards: each task's share of answers that pass. */
import type { CardMetric } from '../../domain/card/card-metric.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { excludedOutcomes } from '../../schemas/states.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { ownRows, type Sides } from '../gate/compared.ts';
import { records } from '../records.ts';
import { decimals } from '../report/format.ts';
import { groupedAtATime, taskSlices } from '../slices/task-slices.ts';
import { quoteText } from '../views.ts';
import type { CardSource } from './card-source.ts';

export const passMetric: CardMetric = {
  ...{ name: 'pass_at_1', title: 'pass@1', trait: 'correctness', direction: 'higher', unit: '%' },
  meaning: 'How many tasks the first answer to the unchanged prompt solves, in %',
  text: (value) => decimals(value, 1),
  says: ({ text, tasks }) => `passes ${text} of ${tasks}`,
};

/** As `compare` has it: of each task only the answers that count for every model. */
export const firstPasses: CardSource = {
  metrics: [passMetric],
  read: async (database, { sides }) => {
    const tasks = await records(database, tasksSql(sides));
    const rows = await sharedAnswers(database, sides, tasks);
    const ownTasks = new Map(tasks.map((row) => [sideName(row), numberOf(row, 'tasks')]));
    const own = Map.groupBy(rows, sideName);
    const suites = [...new Set(rows.map((row) => textOf(row, 'suite')))].toSorted();
    return suites.map((suite) => {
      const rowsOf = sides.map(({ manifest, model }) => own.get(nameOf(suite, manifest.runId, model)) ?? []);
      return {
        ...{ metric: passMetric, condition: suite, range: { kind: 'bounded', lo: 0, hi: 100 } },
        values: rowsOf.map((side) => new Map(side.map((row) => [textOf(row, 'task_id'), numberOf(row, 'passed')]))),
        ownTasks: rowsOf.map(([first]) => (first === undefined ? 0 : (ownTasks.get(sideName(first)) ?? 0))),
      };
    });
  },
};

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);

const sideName = (row: Row): string => nameOf(textOf(row, 'suite'), textOf(row, 'run'), textOf(row, 'model'));

/** SQL condition for the verdicts that may count. */
const judged = (sides: Sides['sides']): string => `
  (${sides.map((side) => `(${ownRows(side)})`).join(' OR ')}) AND variant = 'original' AND step = 'generate'
  AND loop = 1 AND outcome NOT IN (${[...excludedOutcomes].map(quoteText).join(', ')})`;

/** The number of tasks of each side, by suite. */
const tasksSql = (sides: Sides['sides']): string => `
  SELECT run, model, suite, count(DISTINCT task_id)::INT AS tasks FROM verdicts WHERE ${judged(sides)} GROUP BY ALL`;

/** Some tasks at a time, so that DuckDB holds only their answers. In the order of the tasks. */
async function sharedAnswers(database: RunDatabase, sides: Sides['sides'], own: readonly Row[]): Promise<Row[]> {
  const suites = [...Map.groupBy(own, (row) => textOf(row, 'suite'))].map(([suite, { length }]) => ({ suite, length }));
  if (suites.length === 0) return [];
  const present = suites.map(({ suite, length }) => `(${quoteText(suite)}, ${length})`).join(', ');
  const rows: Row[] = [];
  for (const tasks of await taskSlices(database, judged(sides), groupedAtATime))
    for (const row of await records(database, sharedSql(`${judged(sides)} AND ${tasks}`, present))) rows.push(row);
  return rows;
}

const part = 'suite, task_id, setting, repetition, sample';

/**
 * Percent of each task's answers that pass, over the answers that count for all sides with any.
 * @param where SQL condition on `verdicts` @param present by suite, the number of sides with any, as SQL values
 */
const sharedSql = (where: string, present: string): string => `
  WITH judged AS (SELECT run, model, ${part}, outcome = 'pass' AS passed FROM verdicts WHERE ${where}),
  present AS (SELECT * FROM (VALUES ${present}) AS found (suite, sides)),
  shared AS (
    SELECT ${part} FROM judged JOIN present USING (suite) GROUP BY ${part}, sides HAVING count(*) = sides)
  SELECT run, model, suite, task_id, 100 * avg(passed::INT) AS passed
  FROM judged JOIN shared USING (${part}) GROUP BY ALL ORDER BY ALL`;
