/** Cost and time of a solved task, for cards: of each model over its tasks, and of two over those that they share. */
import type { ModelEstimate, ModelMeasure } from '../../domain/card/card-measure.ts';
import type { CardMetric, SaidEstimate } from '../../domain/card/card-metric.ts';
import { costPerSolved, costPerSolvedMethod } from '../../domain/metrics/cost-per-solved.ts';
import { elsewhereFault, isPaidHere, taskCostOf } from '../../domain/metrics/cost-rows.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { builtInFacts } from '../../schemas/spec/providers.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { ownRows, type Sides } from '../gate/compared.ts';
import { taskCosts } from '../model-costs.ts';
import { decimals, usdText } from '../report/format.ts';
import type { CardSource } from './card-source.ts';
import { sharedTasks } from './shared-tasks.ts';

const common = { trait: 'cost', direction: 'lower' } as const;

/** Which tasks, if others paid for an answer of the rest; and what a task must pass, if that is not all there is. */
function solvedText({ suite, tasks, ownTasks }: SaidEstimate): string {
  const task = suite === null ? 'solved task' : 'task solved on all suites';
  return tasks === ownTasks ? task : `${task}, over the ${tasks} of ${ownTasks} for which it paid itself`;
}

const usd: CardMetric = {
  ...{ ...common, name: 'usd_per_solved_task', title: 'USD per solved task', unit: '' },
  aspect: 'cost',
  meaning: 'What all calls for a task cost, divided by the share of tasks that are solved: that pass all suites',
  text: usdText,
  says: (said) => `costs ${said.text} per ${solvedText(said)}`,
};

const seconds: CardMetric = {
  ...{ ...common, name: 'seconds_per_solved_task', title: 'Time per solved task', unit: 's' },
  aspect: 'time',
  meaning: 'How long all calls for a task take, divided by the share of tasks that are solved: that pass all suites',
  text: (value) => decimals(value, value < 10 ? 2 : 1),
  says: (said) => `takes calls of ${said.text} per ${solvedText(said)}`,
};

/** A price that is unknown, and a reply that took no call, leave no value. */
export const solvedCosts: CardSource = {
  metrics: [usd, seconds],
  read: async (database, { sides, changed }) => {
    const rows = await tasksOf(database, sides, changed);
    return [
      measureOf(usd, rows, {
        cost: 'usd',
        unknown: 'unpriced_calls',
        known: 'paid_calls',
        faults: ['the price of a call is unknown', `no call was paid for: ${whyNone}`],
      }),
      measureOf(
        seconds,
        rows.map((own, side) => (answersAtOnce(sides[side]) ? new Map<string, Row>() : own)),
        {
          cost: 'seconds',
          unknown: 'untimed_calls',
          known: 'timed_calls',
          faults: ['the time of a call is unknown', `no call was timed: ${whyNone}`],
        },
      ),
    ];
  },
};

const whyNone = 'simulated, replayed, or paid for by another study';

/** The time of a simulated or recorded reply says nothing. */
function answersAtOnce(side: Sides['sides'][number] | undefined): boolean {
  const found = side?.manifest.spec.models.find(({ id }) => id === side.model);
  return found === undefined || found.provider in builtInFacts;
}

type TaskRows = ReadonlyMap<string, Row>;

/** By side: what its tasks cost, by task and language. */
async function tasksOf(
  database: RunDatabase,
  sides: Sides['sides'],
  changed: ReadonlySet<string>,
): Promise<TaskRows[]> {
  const rows = await taskCosts(database, sides.map((side) => `(${ownRows(side)})`).join(' OR '));
  const counted = rows.filter((row) => !changed.has(textOf(row, 'task_id')));
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

interface CostColumns {
  readonly cost: 'usd' | 'seconds';
  /** Calls without and with a cost. */
  readonly unknown: string;
  readonly known: string;
  readonly faults: readonly [string, string];
}

function measureOf(metric: CardMetric, all: readonly TaskRows[], columns: CostColumns): ModelMeasure {
  const paid = all.map((own) => new Map([...own].filter(([, row]) => isPaidHere(row))));
  const shared = sharedTasks(paid);
  return {
    ...{ metric, condition: 'all', method: costPerSolvedMethod },
    estimates: (level) =>
      all.map((own, model) => {
        const fault = elsewhereFault([...own.values()]);
        const counts = { tasks: paid[model]?.size ?? 0, ownTasks: own.size };
        if (fault !== null) return { value: null, interval: null, ...counts, reason: fault };
        return { ...estimateOf([...(paid[model]?.values() ?? [])], columns, level), ...counts };
      }),
    pairs: {
      name: (model, other) => shared(model, other).name,
      intervalOf: (model, other, level) => {
        const rows = shared(model, other).tasks.map((task) => paid[model]?.get(task) as Row);
        return estimateOf(rows, columns, level).interval;
      },
    },
  };
}

function estimateOf(
  rows: readonly Row[],
  { cost, unknown, known, faults }: CostColumns,
  level: number,
): Omit<ModelEstimate, 'tasks' | 'ownTasks'> {
  const total = (column: string): number => rows.reduce((sum, row) => sum + numberOf(row, column), 0);
  const fault = total(unknown) > 0 ? faults[0] : total(known) === 0 ? faults[1] : null;
  if (fault !== null) return { value: null, interval: null, reason: fault };
  const { value, interval, reason } = costPerSolved(
    rows.map((row) => taskCostOf(row, cost)),
    level,
  );
  const isAtMost = cost === 'usd' && total('estimated_usd') > 0;
  return { value, interval, reason: value === null ? reason : null, isAtMost };
}
