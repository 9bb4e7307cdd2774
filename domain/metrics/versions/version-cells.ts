import type { TaskPair } from '../phrasing-values.ts';
import type { SideAnswers } from '../sides/extremes.ts';
import type { SolutionMetricName } from '../solution-metrics.ts';

/** One metric of one dimension on one suite. */
export interface VersionCells {
  /** Name in the results, also used for its seed; unique in the family. */
  readonly name: string;
  readonly metric: SolutionMetricName;
  /** Differences up to this size do not matter, in the metric's unit. */
  readonly margin: number;
  readonly tasks: readonly TaskPair[];
  /**
   * Of times: what the ratio and its verdict are about, where not all tasks are: programs that pass in both versions.
   * One that fails at once is not fast. Default: `tasks`.
   */
  readonly judgedTasks?: readonly TaskPair[];
  /** By task, of the old version and the new one: where there is an answer. Default: where there is a part. */
  readonly answered?: readonly SideAnswers[];
}
