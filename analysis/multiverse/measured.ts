/** What studies give to a multiverse: values of single tasks, and effects between groups of models. */
import { allTasks, tasksWithoutReference } from '../answers/without-reference.ts';
import { gateMetric, isTime } from '../../domain/gate/metrics.ts';
import type { TaskRange } from '../../domain/metrics/task-range.ts';
import type { Options } from '../../domain/multiverse/universe.ts';
import type { Interval } from '../../domain/statistics/intervals/interval.ts';
import type { Direction } from '../../domain/statistics/tests/version-verdict.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { ChoiceName } from '../../schemas/tables/multiverse.ts';
import type { RunDatabase } from '../database.ts';
import type { GateSource, OpenTasks, SharedTasks, Sides } from '../gate/compared.ts';

/** A choice that only one kind of study has. */
export interface OwnChoice<S extends SpecStudy = SpecStudy> {
  readonly name: ChoiceName;
  /** The options that this study's answers allow, first the one that its settings take. */
  options(study: S): readonly [string, ...string[]];
}

/** Where a quantity belongs. */
export interface Place {
  readonly metric: string;
  readonly dimension: string;
  readonly workflow: string;
  readonly unit: string;
}

export interface MeasuredTasks extends Place {
  readonly kind: 'tasks';
  /** Null if neither direction is better. */
  readonly direction: Direction | null;
  /** Whether 0 is a value that means "no effect", also for a single model. */
  readonly isSigned: boolean;
  readonly range: TaskRange;
  readonly tasks: SharedTasks | OpenTasks;
}

export interface MeasuredEffect extends Place {
  readonly kind: 'effect';
  readonly group: string;
  /** The group that is subtracted. */
  readonly other: string;
  readonly value: number | null;
  readonly interval: Interval | null;
  readonly tasks: number;
}

export type Measured = MeasuredTasks | MeasuredEffect;

export interface ChosenSource<S extends SpecStudy = SpecStudy> {
  /** Choices that its quantities depend on, besides those that all studies have. */
  readonly choices: readonly OwnChoice<S>[];
  /** Effects are given only if there are several sides. */
  read(database: RunDatabase, sides: Sides<S>['sides'], options: Options): Promise<Measured[]>;
}

/** What `compare` shows of single tasks. Times are omitted: no choice of a multiverse changes them. */
export const withoutOwnChoices = <S extends SpecStudy>(source: GateSource<S>): ChosenSource<S> => ({
  choices: [],
  read: (database, sides) => measuredBy(source, database, sides),
});

export async function measuredBy<S extends SpecStudy>(
  source: GateSource<S>,
  database: RunDatabase,
  sides: Sides<S>['sides'],
): Promise<MeasuredTasks[]> {
  const runIds = sides.map(({ manifest }) => manifest.runId);
  const withoutReference = await tasksWithoutReference(database, runIds, sides[0].study.benchmark);
  const none = new Set<string>();
  const tasks = { changed: allTasks(withoutReference), changedRecords: none, withoutReference };
  const compared = await source(database, { sides, ...tasks });
  return compared.flatMap(({ subject, tasks }) => {
    if (tasks === null || isTime(subject.metric)) return [];
    const { range, ...shared } = tasks;
    const { direction, unit } = gateMetric(subject.metric);
    const { metric, dimension, workflow } = subject;
    const isSigned = range.kind === 'bounded' && range.lo < 0;
    return [{ kind: 'tasks', metric, dimension, workflow, unit, direction, isSigned, range, tasks: shared }];
  });
}
