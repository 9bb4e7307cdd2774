/** What studies provide for `gate` and `compare`: each task's values on several sides. */
import type { WholeValue } from '../../domain/compare/whole-metrics.ts';
import { type Comparable, estimateOf, type GateEstimate, type GateQuestion } from '../../domain/gate/estimate.ts';
import type { GateSubject } from '../../domain/gate/evaluate.ts';
import { gateMetric, type GateMetricName } from '../../domain/gate/metrics.ts';
import { endsOf, type Extremes } from '../../domain/metrics/sides/extremes.ts';
import { filledValues, judgedValues } from '../../domain/metrics/sides/filled.ts';
import type { Quotients } from '../../domain/metrics/sides/side-values.ts';
import type { Unjudged } from '../../domain/metrics/sides/unjudged.ts';
import type { Direction } from '../../domain/statistics/tests/version-verdict.ts';
import type { TaskRange } from '../../domain/metrics/task-range.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { TableName } from '../../schemas/tables.ts';
import type { TasksBySuite } from '../answers/without-reference.ts';
import type { RunDatabase } from '../database.ts';
import { type ModelOfStudy, modelRows, ofModel } from '../model-rows.ts';

/** One side of a comparison: a model in a run, with the study as that run's spec has it. */
export interface Side<S extends SpecStudy = SpecStudy> {
  readonly manifest: Manifest;
  readonly study: S;
  readonly model: string;
}

export interface Sides<S extends SpecStudy = SpecStudy> {
  /** Two or more; in a gate the old one, then the new one. */
  readonly sides: readonly [Side<S>, ...Side<S>[]];
  /**
   * Ids of tasks whose prompt, tests or judging suites differ between the sides, or on which a suite can judge nobody:
   * measures of whole programs, which must pass every suite, are not compared on them.
   */
  readonly changed: ReadonlySet<string>;
  /** Of these, tasks whose prompt or tests differ: measures of one suite are compared on the others. Default: all. */
  readonly changedRecords?: ReadonlySet<string>;
  /** Tasks on which a suite can judge nobody: measures of that suite are compared on the others. Default: none. */
  readonly withoutReference?: TasksBySuite;
  /** Whether each variant of a prompt is compared separately, where a task has several. */
  readonly byVariant?: boolean;
}

/** Value of each task, by id. */
export type ValueByTask = ReadonlyMap<string, number>;

/** A side's values with what could not be judged at its least and its most, by task; and how much that is. */
export interface OpenValues {
  /** Of what was judged. */
  readonly values: ValueByTask;
  readonly least: ValueByTask;
  readonly most: ValueByTask;
  readonly unjudged: number;
  /** Of these, what was never asked: `values` has it at its least. Default: 0. */
  readonly unasked?: number;
}

/** The tasks that all sides have, with their values. */
export interface SharedTasks {
  readonly taskIds: readonly string[];
  /** By side, then by task. */
  readonly values: readonly (readonly number[])[];
  /** The same for people, where `values` has a task's part in an estimate: what it has by itself. Default: `values`. */
  readonly shown?: readonly (readonly number[])[];
  /** What they are made of, if they are of a quotient of sums. */
  readonly quotients?: Quotients;
  /** Answers behind each value, by side, then by task; null if a value is not a share of answers. */
  readonly samples: readonly (readonly number[])[] | null;
  /** Number of tasks that each side has a value for. */
  readonly own: readonly number[];
  /** The same of all tasks that all sides have answered, if some answers could not be judged. */
  readonly open?: OpenTasks;
}

/** Tasks that all sides have answered, whether the answers could be judged or not. */
export interface OpenTasks extends Omit<SharedTasks, 'open'> {
  /** By side, then by task; null if no answer was judged. `values` has the side's mean there. */
  readonly judged: readonly (readonly (number | null)[])[];
  /** The same by prompt, all in the same order. Default: one a task. */
  readonly byPrompt?: readonly (readonly (readonly (number | null)[])[])[];
  /** What the values may be with the answers that could not be judged. */
  readonly extremes: Extremes;
  /** By side, the number of these answers. */
  readonly unjudged: readonly number[];
  /** Whether some of them were never asked. Default: no. */
  readonly hasUnasked?: true;
}

/** A metric that all tasks have together. */
export interface WholeTasks {
  readonly taskIds: readonly string[];
  /** By side; null if nothing that it takes could be judged. */
  readonly models: readonly (WholeValue | null)[];
  /** By side without a value, why its judged answers give none; null for others. */
  readonly why: readonly (string | null)[];
  /** Number of tasks that each side has a value for. */
  readonly own: readonly number[];
  /** By side, the number of answers that could not be judged; absent if all were. */
  readonly unjudged?: readonly number[];
}

/** One metric on all sides. */
export interface Compared {
  readonly subject: GateSubject;
  /** Sides that the subject's suite did not judge: nothing is known of them. */
  readonly withoutSuite?: readonly number[];
  /** Why no side can have a value: the settings of its study do not measure it. */
  readonly unmeasured?: string;
  /** The variant, if each is compared separately. */
  readonly variant?: string;
  /** Null if single tasks have no value. */
  readonly tasks: ((SharedTasks | OpenTasks) & { readonly range: TaskRange }) | null;
  /** What `estimate` is on, and the number of tasks that each side has a value for; absent without values of tasks. */
  readonly judged?: { readonly tasks: number; readonly own: readonly number[] };
  /** For metrics of all tasks together: each side's value with its bounds, on these tasks. */
  readonly together?: WholeTasks;
  /** The second of two sides against the first. */
  estimate(question: GateQuestion): GateEstimate;
}

interface Sources<S extends SpecStudy> {
  read(database: RunDatabase, sides: Sides<S>): Promise<Compared[]>;
}

/** Reads the results of all sides. Declared as a method, so that a source of one kind fits the general type. */
export type GateSource<S extends SpecStudy = SpecStudy> = Sources<S>['read'];

const modelOf = ({ manifest, study, model }: Side): ModelOfStudy => ({
  ...{ run: manifest.runId, study: study.name },
  model,
});

/** SQL condition for the rows of a side. */
export const ownRows = (side: Side): string => ofModel(modelOf(side));

/** SQL in brackets of a side's rows of a table. */
export const sideRows = (database: RunDatabase, table: TableName, side: Side): string =>
  modelRows(database, table, modelOf(side));

/** Whether a setting has the same value on all sides. @param settingOf gets the side's spec and those of all, too */
export function isSame<S extends SpecStudy>(
  sides: Sides<S>['sides'],
  settingOf: (study: S, spec: Manifest['spec'], all: readonly Manifest['spec'][]) => unknown,
): boolean {
  const all = sides.map(({ manifest }) => manifest.spec);
  const [first, ...others] = sides.map(({ study, manifest }) => JSON.stringify(settingOf(study, manifest.spec, all)));
  return others.every((other) => other === first);
}

/** A subject of a study without workflows. */
export const plainSubject = (metric: GateMetricName, benchmark: string, dimension = 'function-only'): GateSubject => ({
  metric,
  benchmark,
  suite: null,
  dimension,
  workflow: dimension,
});

/** Tasks with answers that could not be judged. */
export interface UnjudgedTasks {
  readonly counts: Unjudged;
  /**
   * All tasks, with these answers at their worst for a change in this direction.
   * @param same of answers that are the same program on both sides: their value on both
   */
  worstCase(direction: Direction, same: 0 | 1): SharedTasks;
}

export const comparedTasks = (
  subject: GateSubject,
  tasks: SharedTasks,
  range: TaskRange,
  unjudged: UnjudgedTasks | null = null,
): Compared => ({
  subject,
  tasks: { ...(tasks.open ?? tasks), range },
  judged: { tasks: tasks.taskIds.length, own: tasks.own },
  estimate(question) {
    const found = estimateOf(comparable(subject, tasks, range), question);
    if (unjudged === null) return found;
    const { direction } = question;
    const opposite = direction === 'higher' ? 'lower' : 'higher';
    const caseOf = (of: Direction, same: 0 | 1) => {
      const { old, now, interval } = estimateOf(comparable(subject, unjudged.worstCase(of, same), range), question);
      return { old, now, interval };
    };
    // With a margin in percent, programs that pass on both sides are a gain, whatever direction is good.
    const cases = { worstCase: caseOf(direction, 0), bestCase: caseOf(opposite, 1) };
    return { ...found, unjudged: { ...unjudged.counts, ...cases } };
  },
});

/**
 * What shared tasks may be with what could not be judged, of the unchanged tasks that all sides have; null if all was.
 */
export function openTasks(
  sides: readonly OpenValues[],
  changed: ReadonlySet<string>,
): { readonly open: OpenTasks; readonly inGate: UnjudgedTasks } | null {
  if (sides.every(({ unjudged }) => unjudged === 0)) return null;
  const shared = (end: 'least' | 'most'): SharedTasks =>
    sharedTasks(
      sides.map((side) => side[end]),
      changed,
    );
  const [least, most] = [shared('least'), shared('most')];
  const judged = sides.map(({ values }) => least.taskIds.map((task) => values.get(task) ?? null));
  const hasUnasked = sides.some(({ unasked = 0 }) => unasked > 0) ? ({ hasUnasked: true } as const) : {};
  const openIn = (side: number): number =>
    least.taskIds.filter((_, task) => least.values[side]?.[task] !== most.values[side]?.[task]).length;
  return {
    open: {
      ...least,
      values: judged.map((own, side) => filledValues(own, endsOf({ least: least.values, most: most.values }, side))),
      judged,
      own: judged.map((side) => judgedValues(side).length),
      extremes: { least: least.values, most: most.values },
      unjudged: sides.map(({ unjudged }) => unjudged),
      ...hasUnasked,
    },
    inGate: {
      counts: { old: openIn(0), now: openIn(1), ...hasUnasked },
      worstCase(direction) {
        const [old, now] = direction === 'higher' ? [most, least] : [least, most];
        return { ...least, values: [old.values[0] ?? [], now.values[1] ?? []] };
      },
    },
  };
}

function comparable(
  { metric }: GateSubject,
  { taskIds, values, shown = values }: SharedTasks,
  range: TaskRange,
): Comparable {
  const at = (of: readonly (readonly number[])[], place: number): { old: number; now: number } => ({
    old: of[0]?.[place] as number,
    now: of[1]?.[place] as number,
  });
  return {
    tasks: taskIds.map((taskId, place) => ({ taskId, ...at(values, place), shown: at(shown, place) })),
    range,
    names: gateMetric(metric).namesTasks === true,
  };
}

/** The unchanged tasks that all sides have, in the order of the first side. */
export function sharedTasks(sides: readonly ValueByTask[], changed: ReadonlySet<string>): SharedTasks {
  const taskIds = [...(sides[0]?.keys() ?? [])].filter(
    (taskId) => !changed.has(taskId) && sides.every((side) => side.has(taskId)),
  );
  return {
    taskIds,
    values: sides.map((side) => taskIds.map((taskId) => side.get(taskId) as number)),
    samples: null,
    own: sides.map((side) => [...side.keys()].filter((taskId) => !changed.has(taskId)).length),
  };
}
