/** pass@1 of first answers to unchanged prompts, for cards: each task's share of answers that pass. */
import type { CardMetric } from '../../domain/card/card-metric.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { excludedOutcomes } from '../../schemas/states.ts';
import { ownRows, type Sides } from '../gate/compared.ts';
import { records } from '../records.ts';
import { decimals } from '../report/format.ts';
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
    const rows = await records(database, sharedAnswers(sides));
    const own = Map.groupBy(rows, (row) => nameOf(textOf(row, 'suite'), textOf(row, 'run'), textOf(row, 'model')));
    const suites = [...new Set(rows.map((row) => textOf(row, 'suite')))].toSorted();
    return suites.map((suite) => {
      const rowsOf = sides.map(({ manifest, model }) => own.get(nameOf(suite, manifest.runId, model)) ?? []);
      return {
        ...{ metric: passMetric, condition: suite, range: { kind: 'bounded', lo: 0, hi: 100 } },
        values: rowsOf.map((side) => new Map(side.map((row) => [textOf(row, 'task_id'), numberOf(row, 'passed')]))),
        ownTasks: rowsOf.map(([first]) => (first === undefined ? 0 : numberOf(first, 'own_tasks'))),
      };
    });
  },
};

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);

const part = 'suite, task_id, setting, repetition, sample';

/** Percent of each task's answers that pass, over the answers that count for all sides with any. */
const sharedAnswers = (sides: Sides['sides']): string => `
  WITH judged AS (
    SELECT run, model, ${part}, outcome = 'pass' AS passed
    FROM verdicts
    WHERE (${sides.map((side) => `(${ownRows(side)})`).join(' OR ')}) AND variant = 'original' AND step = 'generate'
      AND loop = 1 AND outcome NOT IN (${[...excludedOutcomes].map(quoteText).join(', ')})),
  own AS (SELECT run, model, suite, count(DISTINCT task_id)::INT AS own_tasks FROM judged GROUP BY ALL),
  present AS (SELECT suite, count(*) AS sides FROM own GROUP BY suite),
  shared AS (
    SELECT ${part} FROM judged JOIN present USING (suite) GROUP BY ${part}, sides HAVING count(*) = sides)
  SELECT run, model, suite, task_id, own_tasks, 100 * avg(passed::INT) AS passed
  FROM judged JOIN shared USING (${part}) JOIN own USING (run, model, suite) GROUP BY ALL ORDER BY ALL`;
