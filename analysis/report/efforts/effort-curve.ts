/** What more thinking brings and costs: each study at several reasoning efforts, by model and effort. */
import { effortOf, familyOf } from '../../../domain/spec/efforts.ts';
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import { boundedMeanInterval } from '../../../domain/statistics/intervals/bounded-mean.ts';
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
  /** Mean over tasks of the share of their first programs that pass; null without tasks. */
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
  const varied = [...families.values()].filter((family) => family.length > 1).flat();
  const points: EffortPoint[] = [];
  for (const { run, study, effort, family } of varied) {
    const where = `run = ${quoteText(run)} AND study = ${quoteText(study)}`;
    const byModel = Map.groupBy(await taskCosts(database, where), (row) => textOf(row, 'model'));
    const asked = new Map(
      (await records(database, askedSql(where))).map((row) => [textOf(row, 'model'), numberOf(row, 'asked')]),
    );
    for (const cost of costs.filter((row) => row['run'] === run && row['study'] === study))
      points.push({
        ...{ run, study: family, effort },
        ...pointOf(cost, byModel.get(textOf(cost, 'model')) ?? []),
        asked: asked.get(textOf(cost, 'model')) ?? 0,
      });
  }
  return points.toSorted(byPlace);
}

/** What the tokens and the cost of its calls brought. */
const askedSql = (where: string): string => `
  SELECT model, sum(n)::INT AS asked FROM calls
  WHERE ${where} AND status = 'answered' AND origin IS NULL GROUP BY ALL`;

function pointOf(cost: Row, tasks: readonly Row[]): Omit<EffortPoint, 'run' | 'study' | 'effort' | 'asked'> {
  const shares = tasks.flatMap((task) => numberOrNull(task, 'solved') ?? []);
  const sum = shares.reduce((total, one) => total + one, 0);
  return {
    model: textOf(cost, 'model'),
    simulated: cost['simulated'] === true,
    solved: shares.length === 0 ? null : sum / shares.length,
    interval: boundedMeanInterval(shares, { lo: 0, hi: 1 }),
    nTasks: shares.length,
    outputTokens: numberOf(cost, 'output_tokens'),
    reasoningTokens: numberOf(cost, 'reasoning_tokens'),
    usd: numberOf(cost, 'unpriced_calls') > 0 ? null : numberOf(cost, 'usd'),
  };
}

/** By study and model, then from little thinking to much. */
function byPlace(a: EffortPoint, b: EffortPoint): number {
  const [one, other] = [a, b].map(({ run, study, model }) => JSON.stringify([run, study, model]));
  if (one !== other) return (one ?? '') < (other ?? '') ? -1 : 1;
  return reasoningEfforts.indexOf(a.effort) - reasoningEfforts.indexOf(b.effort);
}
