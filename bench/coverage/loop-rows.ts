/** Rows of table `loops` over simulated loops. */
import type { Row } from '../../schemas/tables.ts';

export interface LoopCell {
  readonly sustained: number;
  /** Null: there is no judge. */
  readonly similarity: number | null;
}

/**
 * One row for each repetition of a task. The judge compares only loops that lasted for a while and then broke.
 */
export const loopRows = (task: number, cells: readonly LoopCell[], maxLoops: number): Row[] =>
  cells.map(({ sustained, similarity }, repetition) => ({
    ...{ run: 'r', study: 's', model: 'm', benchmark: 'b', task_id: `T/${task}`, language: 'python' },
    ...{ variant: 'original', setting: 'default', repetition },
    sustained_loops: sustained,
    ended_by: sustained === maxLoops ? 'survived' : 'code_failed',
    similarity: sustained === 0 || sustained === maxLoops ? null : similarity,
    simulated: true,
  }));
