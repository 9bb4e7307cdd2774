/** Cost of a solved task and time of a typical one, for cards: of each model over its tasks. */
import type { ModelEstimate, ModelMeasure } from '../../domain/card/card-measure.ts';
import type { CardMetric, SaidEstimate } from '../../domain/card/card-metric.ts';
import { costPerSolved, costPerSolvedMethod } from '../../domain/metrics/cost-per-solved.ts';
import { elsewhereFault, isPaidHere, taskCostOf } from '../../domain/metrics/cost-rows.ts';
import { allTasks } from '../answers/without-reference.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import { medianInterval, medianMethod } from '../../domain/statistics/median-interval.ts';
import { builtInFacts } from '../../schemas/spec/providers.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { ownRows, type Sides } from '../gate/compared.ts';
import { taskCosts } from '../model-costs.ts';
import { decimals, usdText } from '../report/format.ts';
import type { CardSource } from './card-source.ts';
import { sharedTasks } from './shared-tasks.ts';

const common = { trait: 'cost', direction: 'lower' } as const;

/** What a task must pass, if there are several suites. */
const solvedText = ({ suite }: SaidEstimate): string => (suite === null ? 'solved task' : 'task solved on all suites');

/** Which tasks, if others paid for an answer of the rest. */
const ofTasks = ({ tasks, ownTasks }: SaidEstimate): string =>
  tasks === ownTasks ? '' : `, over the ${tasks} of ${ownTasks} for which it paid itself`;

const usd: CardMetric = {
  ...{ ...common, name: 'usd_per_solved_task', title: 'USD per solved task', unit: '' },
  aspect: 'cost',
  meaning: 'What all calls for a task cost, divided by the share of tasks that are solved: that pass all suites',
  text: usdText,
  says: (said) => `costs ${said.text} per ${solvedText(said)}${ofTasks(said)}`,
};

/** Without ranks: a slow moment of an endpoint is in many calls in a row, so that tasks are not independent. */
const seconds: CardMetric = {
  ...{ ...common, name: 'seconds_per_task', title: 'Time of a typical task', unit: 's' },
  aspect: 'time',
  meaning:
    'How long all calls for a task take: the median over tasks. Models are not ranked by it, because one slow moment ' +
    'of an endpoint slows many calls in a row',
  text: (value) => decimals(value, value < 10 ? 2 : 1),
  says: (said) => `takes calls of ${said.text} for a typical task${ofTasks(said)}`,
};

/**
 * A price that is unknown, and a reply that took no call, leave no value.
 * @param options whether models have ranks by cost
 */
export const solvedCostsOf = ({ isCostRanked }: { readonly isCostRanked: boolean }): CardSource => ({
  metrics: [usd, seconds],
  read: async (database, { sides, changed, changedRecords = changed, withoutReference = new Map() }) => {
    // What was paid on tasks that nobody can solve is a cost too, as in table `model_costs`.
    const left = changed.difference(allTasks(withoutReference)).union(changedRecords);
    const rows = await tasksOf(database, sides, left);
    const timed = rows.map((own, side) => (answersAtOnce(sides[side]) ? new Map<string, Row>() : own));
    return [{ ...costMeasure(rows), isUnranked: !isCostRanked }, timeMeasure(timed)];
  },
});

/** Ends with what earlier programs left out. */
export const timeMethod = `${medianMethod}, over the calls of all answers that the study uses`;

const whyNone = 'simulated or replayed';

/** A simulated or recorded reply costs nothing, and its time says nothing. */
export function answersAtOnce(side: Sides['sides'][number] | undefined): boolean {
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

const paidTasks = (own: TaskRows): Map<string, Row> => new Map([...own].filter(([, row]) => isPaidHere(row)));

type Found = Omit<ModelEstimate, 'tasks' | 'ownTasks'>;

/** By model, of the tasks that it paid for itself. */
const estimatesOf = (all: readonly TaskRows[], estimateOf: (rows: readonly Row[]) => Found): ModelEstimate[] =>
  all.map((own) => {
    const paid = [...paidTasks(own).values()];
    const fault = elsewhereFault([...own.values()]);
    const found = fault === null ? estimateOf(paid) : { value: null, interval: null, reason: fault };
    return { ...found, tasks: paid.length, ownTasks: own.size };
  });

function costMeasure(all: readonly TaskRows[]): ModelMeasure {
  const paid = all.map(paidTasks);
  const shared = sharedTasks(paid);
  return {
    ...{ metric: usd, condition: 'all', method: costPerSolvedMethod },
    estimates: (level) => estimatesOf(all, (rows) => costOf(rows, level)),
    pairs: {
      name: (model, other) => shared(model, other).name,
      intervalOf: (model, other, level) => {
        const rows = shared(model, other).tasks.map((task) => paid[model]?.get(task) as Row);
        return costOf(rows, level).interval;
      },
    },
  };
}

const timeMeasure = (all: readonly TaskRows[]): ModelMeasure => ({
  ...{ metric: seconds, condition: 'all', method: timeMethod, isUnranked: true },
  estimates: (level) => estimatesOf(all, (rows) => timeOf(rows, level)),
});

const total = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + numberOf(row, column), 0);

const without = (reason: string): Found => ({ value: null, interval: null, reason });

function costOf(rows: readonly Row[], level: number): Found {
  if (total(rows, 'unpriced_calls') > 0) return without('the price of a call is unknown');
  if (total(rows, 'paid_calls') === 0) return without(`no call was paid for: ${whyNone}`);
  const { value, interval, reason } = costPerSolved(
    rows.map((row) => taskCostOf(row, 'usd')),
    level,
  );
  return { value, interval, reason: value === null ? reason : null, isAtMost: total(rows, 'estimated_usd') > 0 };
}

function timeOf(rows: readonly Row[], level: number): Found {
  if (total(rows, 'untimed_calls') > 0) return without('the time of a call is unknown');
  if (total(rows, 'timed_calls') === 0) return without(`no call was timed: ${whyNone}`);
  const times = rows.map((row) => numberOf(row, 'seconds'));
  return { ...medianInterval(times, level), reason: null };
}
