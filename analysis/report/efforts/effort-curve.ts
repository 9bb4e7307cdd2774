/** What more thinking brings and costs: each study at several reasoning efforts, by model and effort. */
import { effortOf, familyOf } from '../../../domain/spec/efforts.ts';
import { keyOf, numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { openMeanInterval } from '../../../domain/statistics/intervals/open-mean.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import { type ReasoningEffort, reasoningEfforts } from '../../../schemas/spec/parameters.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../database.ts';
import { taskCosts } from '../../model-costs.ts';
import { records } from '../../records.ts';
import { quoteText } from '../../views.ts';

/** One model at one effort of a study. */
export interface EffortPoint {
  readonly run: string;
  /** The study's name without the effort. */
  readonly study: string;
  readonly model: string;
  readonly effort: ReasoningEffort;
  readonly simulated: boolean;
  /** Mean over the tasks judged at all efforts of the share of first programs that pass; null without tasks. */
  readonly solved: number | null;
  readonly interval: Interval | null;
  readonly nTasks: number;
  /** Of its own calls: without answers that another study or run asked for. */
  readonly asked: number;
  /** Completion tokens of all calls for the model, with its thoughts. */
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  /** Null if the price of a call is unknown. */
  readonly usd: number | null;
}

/** Empty if no study of the runs has several efforts. @param costs rows of `model_costs` */
export async function effortPoints(database: RunDatabase, costs: readonly Row[]): Promise<EffortPoint[]> {
  const studies = database.manifests.flatMap(({ runId, spec }) =>
    spec.studies.flatMap((study) => {
      const [effort, family] = [effortOf(study), familyOf(study)];
      return effort === null ? [] : [{ run: runId, study: study.name, effort, family }];
    }),
  );
  const families = Map.groupBy(studies, ({ run, family }) => JSON.stringify([run, family]));
  const points: EffortPoint[] = [];
  for (const family of families.values())
    if (family.length > 1) points.push(...(await pointsOfFamily(database, family, costs)));
  return points.toSorted(byPlace);
}

interface StudyAtEffort {
  readonly run: string;
  readonly study: string;
  readonly effort: ReasoningEffort;
  readonly family: string;
}

/** What a model did at one effort. */
interface AtEffort {
  readonly at: Pick<EffortPoint, 'run' | 'study' | 'effort' | 'asked'>;
  readonly cost: Row;
  readonly model: string;
  readonly tasks: Tasks;
}

/** @param studies one study at several efforts */
async function pointsOfFamily(
  database: RunDatabase,
  studies: readonly StudyAtEffort[],
  costs: readonly Row[],
): Promise<EffortPoint[]> {
  const found: AtEffort[] = [];
  for (const { run, study, effort, family } of studies) {
    const where = `run = ${quoteText(run)} AND study = ${quoteText(study)}`;
    const byModel = Map.groupBy(await taskCosts(database, where), (row) => textOf(row, 'model'));
    const asked = new Map(
      (await records(database, askedSql(where))).map((row) => [textOf(row, 'model'), numberOf(row, 'asked')]),
    );
    for (const cost of costs.filter((row) => row['run'] === run && row['study'] === study)) {
      const model = textOf(cost, 'model');
      const at = { run, study: family, effort, asked: asked.get(model) ?? 0 };
      found.push({ at, cost, model, tasks: tasksById(byModel.get(model) ?? []) });
    }
  }
  return found.map(({ at, cost, model, tasks }) => {
    const atAll = found.filter((one) => one.model === model).map((one) => one.tasks);
    return { ...at, ...pointOf(cost, tasks, atAll) };
  });
}

type Tasks = ReadonlyMap<string, Row>;

const tasksById = (rows: readonly Row[]): Tasks =>
  new Map(rows.map((row) => [keyOf(row, ['benchmark', 'task_id', 'language']), row]));

/** What the tokens and the cost of its calls brought. */
const askedSql = (where: string): string => `
  SELECT model, sum(n)::INT AS asked FROM calls
  WHERE ${where} AND status = 'answered' AND origin IS NULL GROUP BY ALL`;

/** @param atAll the model's tasks at each effort */
function pointOf(
  cost: Row,
  tasks: Tasks,
  atAll: readonly Tasks[],
): Omit<EffortPoint, 'run' | 'study' | 'effort' | 'asked'> {
  const shared = [...tasks].filter(([task]) => atAll.every((own) => isKnowable(own.get(task))));
  const judged = shared.filter(([task]) => atAll.every((own) => own.get(task)?.['solved'] !== null));
  const ends = {
    least: shared.map(([, row]) => numberOf(row, 'least_solved')),
    most: shared.map(([, row]) => numberOf(row, 'most_solved')),
  };
  const solved = mean(judged.map(([, row]) => numberOf(row, 'solved')));
  return {
    model: textOf(cost, 'model'),
    simulated: cost['simulated'] === true,
    solved,
    interval: openMeanInterval(solved, ends, { lo: 0, hi: 1 }),
    nTasks: judged.length,
    outputTokens: numberOf(cost, 'output_tokens'),
    reasoningTokens: numberOf(cost, 'reasoning_tokens'),
    usd: numberOf(cost, 'unpriced_calls') > 0 ? null : numberOf(cost, 'usd'),
  };
}

/** Not of a task without an answer at the effort, nor of one whose reference gives no output. */
const isKnowable = (row: Row | undefined): boolean =>
  row !== undefined && (row['solved'] !== null || row['least_solved'] !== row['most_solved']);

/** By study and model, then from little thinking to much. */
function byPlace(a: EffortPoint, b: EffortPoint): number {
  const [one, other] = [a, b].map(({ run, study, model }) => JSON.stringify([run, study, model]));
  if (one !== other) return (one ?? '') < (other ?? '') ? -1 : 1;
  return reasoningEfforts.indexOf(a.effort) - reasoningEfforts.indexOf(b.effort);
}
