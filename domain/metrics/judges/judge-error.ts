/**
 * How much ASL depends on which models judge: the standard error of a panel's ASL that comes from the choice of its
 * judges, seen as a sample of the judges that could have been asked (decision 69).
 */
import { sampleVariance } from '../../statistics/spread.ts';

/** A counted cell, with the score of each judge of the panel, in the same order. */
export interface PanelCell {
  readonly taskId: string;
  readonly sustainedLoops: number;
  /** A judge's mean over its repeats; null if it gave no score. Not used for 0 and M sustained loops. */
  readonly scores: readonly (number | null)[];
}

/**
 * The judges' own ASLs differ for two reasons: a judge is stricter than another everywhere, and judges differ from
 * task to task. The second part shrinks with the tasks and is in the interval over tasks already. It is estimated from
 * the spread of the differences over tasks and subtracted from the variance of the judges' ASLs; what is left, over
 * the number of judges, is the variance of their mean. (Crossed random effects by moments; two-way clustering of
 * Cameron, Gelbach and Miller 2011.) Breaks without a score of every judge count like the mean of the others. Null for
 * fewer than two judges, and if breaks of fewer than two tasks have a score of every judge.
 */
export function judgeError(cells: readonly PanelCell[], maxLoops: number): number | null {
  const judges = cells[0]?.scores.length ?? 0;
  const judged = cells.filter(({ sustainedLoops }) => sustainedLoops > 0 && sustainedLoops < maxLoops);
  const complete = judged.filter(({ scores }) => !scores.includes(null));
  const tasks = [...Map.groupBy(cells, ({ taskId }) => taskId).values()];
  if (judges < 2 || new Set(complete.map(({ taskId }) => taskId)).size < 2) return null;
  const scale = judged.length / complete.length / cells.length;
  const isComplete = new Set(complete);
  let [between, withinTasks] = [0, 0];
  for (let judge = 0; judge < judges; judge += 1) {
    const byTask = tasks.map((own) =>
      own.reduce((sum, cell) => sum + (isComplete.has(cell) ? scale * deviation(cell, judge, maxLoops) : 0), 0),
    );
    between += byTask.reduce((sum, value) => sum + value, 0) ** 2;
    withinTasks += tasks.length * (sampleVariance(byTask) as number);
  }
  return Math.sqrt(Math.max(0, between - withinTasks) / (judges - 1) / judges);
}

/** By how much the cell's contribution to ASL would be another if this judge alone had scored it. */
function deviation({ sustainedLoops, scores }: PanelCell, judge: number, maxLoops: number): number {
  const known = scores as readonly number[];
  const mean = known.reduce((sum, score) => sum + score, 0) / known.length;
  return (sustainedLoops * ((known[judge] as number) - mean)) / maxLoops;
}
