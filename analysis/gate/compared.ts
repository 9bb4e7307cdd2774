/** What studies give a gate: comparisons of two models, task by task. */
import { type Comparable, estimateOf, type GateEstimate, type GateQuestion, type TaskValue } from '../../domain/gate/estimate.ts';
import type { GateSubject } from '../../domain/gate/evaluate.ts';
import { gateMetric, type GateMetricName } from '../../domain/gate/metrics.ts';
import type { ValueByTask } from '../../domain/metrics/loop-values.ts';
import type { TaskRange } from '../../domain/metrics/task-range.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { RunDatabase } from '../database.ts';
import { quoteText } from '../views.ts';

/** One side of a comparison: a model in a run, with the study as that run's spec has it. */
export interface Side<S extends SpecStudy = SpecStudy> {
  readonly manifest: Manifest;
  readonly study: S;
  readonly model: string;
}

export interface SidePair<S extends SpecStudy = SpecStudy> {
  readonly old: Side<S>;
  readonly now: Side<S>;
  /** Ids of tasks whose prompt or tests differ between the sides: they are left out. */
  readonly changed: ReadonlySet<string>;
}

/** One thing that a rule may apply to. */
export interface Compared {
  readonly subject: GateSubject;
  estimate(question: GateQuestion): GateEstimate;
}

/** Reads what a study has of both sides. */
export type GateSource<S extends SpecStudy = SpecStudy> = (database: RunDatabase, pair: SidePair<S>) => Promise<Compared[]>;

/** SQL condition for the rows of a side. */
export const ownRows = ({ manifest, study, model }: Side): string =>
  `run = ${quoteText(manifest.runId)} and study = ${quoteText(study.name)} and model = ${quoteText(model)}`;

/** A subject of a study without workflows. */
export const plainSubject = (metric: GateMetricName, benchmark: string, dimension = 'function-only'): GateSubject => ({
  metric,
  benchmark,
  suite: null,
  dimension,
  workflow: dimension,
});

export const comparedTasks = (subject: GateSubject, tasks: readonly TaskValue[], range: TaskRange): Compared => ({
  subject,
  estimate: (question) => estimateOf(comparable(subject, tasks, range), question),
});

const comparable = ({ metric }: GateSubject, tasks: readonly TaskValue[], range: TaskRange): Comparable => ({
  tasks,
  range,
  names: gateMetric(metric).namesTasks === true,
});

/** The tasks that both sides have and that did not change, in the order of the old ones. */
export const pairedTasks = (old: ValueByTask, now: ValueByTask, changed: ReadonlySet<string>): TaskValue[] =>
  [...old].flatMap(([taskId, before]) => {
    const after = now.get(taskId);
    return after === undefined || changed.has(taskId) ? [] : [{ taskId, old: before, now: after }];
  });
