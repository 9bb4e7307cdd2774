/**
 * Solutions in a gate: RobuNFR's metrics by dimension and workflow, and the pass of any other study's first answers.
 */
import type { TaskValue } from '../../domain/gate/estimate.ts';
import type { GateSubject } from '../../domain/gate/evaluate.ts';
import type { GateMetricName } from '../../domain/gate/metrics.ts';
import type { Solution } from '../../domain/metrics/nfr-solutions.ts';
import { comparedCells, type ComparedCells } from '../../domain/metrics/regression-rows.ts';
import type { SolutionMetricName } from '../../domain/metrics/solution-metrics.ts';
import { logTimes, type TaskContribution } from '../../domain/metrics/task-contributions.ts';
import { solutionValues } from '../../domain/metrics/task-range.ts';
import type { RunDatabase } from '../database.ts';
import { firstAnswers, nfrSolutions, type SolutionsWanted } from '../robunfr-solutions.ts';
import { comparedTasks, type Compared, type GateSource, type SidePair } from './compared.ts';

type Reader = (database: RunDatabase, wanted: SolutionsWanted) => Promise<Solution[]>;

const sourceBy =
  (read: Reader): GateSource =>
  async (database, pair) => {
    const [old, now] = await Promise.all(
      [pair.old, pair.now].map(({ manifest, study, model }) => read(database, { run: manifest.runId, study: study.name, model })),
    );
    if (old === undefined || now === undefined) return [];
    const unchanged = ({ taskId }: Solution): boolean => !pair.changed.has(taskId);
    return comparedCells({ old: old.filter(unchanged), now: now.filter(unchanged) }).flatMap((cells) => comparedMetrics(pair, cells));
  };

export const requirementsSource = sourceBy(nfrSolutions);
export const firstAnswersSource = sourceBy(firstAnswers);

/** A time is compared twice: by its mean, and by its ratios. */
function comparedMetrics({ now: { study } }: SidePair, cells: ComparedCells): Compared[] {
  const subject: GateSubject = { ...cells.measure, benchmark: study.benchmark, dimension: cells.dimension, workflow: cells.setting };
  const { range, values } = solutionValues(cells.metric, cells.tasks);
  const means = comparedTasks(subject, named(cells, values), range);
  const ratio = ratioOf[cells.metric];
  if (ratio === undefined) return [means];
  return [means, comparedTasks({ ...subject, metric: ratio }, named(cells, logTimes(cells.tasks)), { kind: 'logTime' })];
}

const ratioOf: Partial<Record<SolutionMetricName, GateMetricName>> = {
  wall_ms: 'wall_ratio',
  cpu_ms: 'cpu_ratio',
  wall_ms_passing: 'wall_ratio_passing',
  cpu_ms_passing: 'cpu_ratio_passing',
};

const named = ({ taskIds }: ComparedCells, values: readonly TaskContribution[]): TaskValue[] =>
  values.map(({ task, old, now }) => ({ taskId: taskIds[task] as string, old, now }));
