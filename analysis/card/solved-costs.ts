/** Cost and time of a solved task, for cards: what the calls for the tasks that all models share took. */
import type { ModelEstimate, ModelMeasure } from '../../domain/card/card-measure.ts';
import type { CardMetric } from '../../domain/card/card-metric.ts';
import { costPerSolved, costPerSolvedMethod } from '../../domain/metrics/cost-per-solved.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { builtInFacts } from '../../schemas/spec/providers.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { ownRows, type Sides } from '../gate/compared.ts';
import { taskCosts } from '../model-costs.ts';
import { decimals, usdText } from '../report/format.ts';
import type { CardSource } from './card-source.ts';

const common = { trait: 'cost', direction: 'lower' } as const;

const usd: CardMetric = {
  ...{ ...common, name: 'usd_per_solved_task', title: 'USD per solved task', unit: '' },
  meaning: 'What all calls for a task cost, divided by the share of tasks that are solved',
  text: usdText,
  says: ({ text }) => `costs ${text} per solved task`,
};

const seconds: CardMetric = {
  ...{ ...common, name: 'seconds_per_solved_task', title: 'Time per solved task', unit: 's' },
  meaning: 'How long all calls for a task take, divided by the share of tasks that are solved',
  text: (value) => decimals(value, value < 10 ? 2 : 1),
  says: ({ text }) => `takes calls of ${text} per solved task`,
};

/** A price that is unknown, and a reply that took no call, leave no value. */
export const solvedCosts: CardSource = {
  metrics: [usd, seconds],
  read: async (database, { sides, changed }) => {
    const rows = await solvedTasks(database, sides, changed);
    const shared = sharedTasks(rows);
    return [
      measureOf(usd, rows, shared, {
        cost: 'usd',
        unknown: 'unpriced_calls',
        known: 'paid_calls',
        faults: ['the price of a call is unknown', 'no call was paid for: simulated, replayed or reused'],
      }),
      measureOf(
        seconds,
        rows.map((own, side) => (answersAtOnce(sides[side]) ? new Map<string, Row>() : own)),
        shared,
        {
          cost: 'seconds',
          unknown: 'untimed_calls',
          known: 'timed_calls',
          faults: ['the time of a call is unknown', 'no call was timed: simulated, replayed or reused'],
        },
      ),
    ];
  },
};

/** The time of a simulated or recorded reply says nothing. */
function answersAtOnce(side: Sides['sides'][number] | undefined): boolean {
  const found = side?.manifest.spec.models.find(({ id }) => id === side.model);
  return found === undefined || found.provider in builtInFacts;
}

/** By side: rows of the tasks with a program that counts, by task and language. */
async function solvedTasks(
  database: RunDatabase,
  sides: Sides['sides'],
  changed: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Row>[]> {
  const rows = await taskCosts(database, sides.map((side) => `(${ownRows(side)})`).join(' OR '));
  const counted = rows.filter((row) => row['solved'] !== null && !changed.has(textOf(row, 'task_id')));
  const own = Map.groupBy(counted, (row) => JSON.stringify([row['run'], row['model']]));
  return sides.map(
    ({ manifest, model }) =>
      new Map(
        own
          .get(JSON.stringify([manifest.runId, model]))
          ?.map((row) => [JSON.stringify([row['task_id'], row['language']]), row]),
      ),
  );
}

function sharedTasks(rows: readonly ReadonlyMap<string, Row>[]): string[] {
  const present = rows.filter(({ size }) => size > 0);
  return [...(present[0]?.keys() ?? [])].filter((task) => present.every((own) => own.has(task)));
}

interface CostColumns {
  readonly cost: string;
  /** Calls without and with a cost. */
  readonly unknown: string;
  readonly known: string;
  readonly faults: readonly [string, string];
}

const measureOf = (
  metric: CardMetric,
  rows: readonly ReadonlyMap<string, Row>[],
  shared: readonly string[],
  columns: CostColumns,
): ModelMeasure => ({
  ...{ metric, condition: 'all', method: costPerSolvedMethod },
  estimates: (level) => rows.map((own) => estimateOf(own, shared, columns, level)),
});

function estimateOf(
  own: ReadonlyMap<string, Row>,
  shared: readonly string[],
  { cost, unknown, known, faults }: CostColumns,
  level: number,
): ModelEstimate {
  const rows = own.size === 0 ? [] : shared.map((task) => own.get(task) as Row);
  const total = (column: string): number => rows.reduce((sum, row) => sum + numberOf(row, column), 0);
  const counts = { tasks: rows.length, ownTasks: own.size };
  const fault = total(unknown) > 0 ? faults[0] : total(known) === 0 ? faults[1] : null;
  if (fault !== null) return { value: null, interval: null, ...counts, reason: fault };
  const tasks = rows.map((row) => ({ cost: numberOf(row, cost), solved: numberOf(row, 'solved') }));
  const { value, interval, reason } = costPerSolved(tasks, level);
  return { value, interval, ...counts, reason: value === null ? reason : null };
}
