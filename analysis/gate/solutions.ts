/** Compares solutions by metric, dimension and workflow. Most studies compare whether first answers pass. */
import type { GateSubject } from '../../domain/gate/evaluate.ts';
import type { GateMetricName } from '../../domain/gate/metrics.ts';
import type { Place, Solution } from '../../domain/metrics/nfr-solutions.ts';
import { passingOf } from '../../domain/metrics/sides/passing-times.ts';
import { byPlace, type SharedCells, sharedCells } from '../../domain/metrics/sides/shared-cells.ts';
import { openShares, unjudgedAnswers } from '../../domain/metrics/sides/extremes.ts';
import { filledValues, judgedValues } from '../../domain/metrics/sides/filled.ts';
import { judgedCounts, logTimeValues, type SideValues } from '../../domain/metrics/sides/side-values.ts';
import { isJudged, unjudgedOf, worstCase } from '../../domain/metrics/sides/unjudged.ts';
import { isShare, type SolutionMetricName, solutionMetrics } from '../../domain/metrics/solution-metrics.ts';
import { sideValues } from '../../domain/metrics/task-range.ts';
import type { RunDatabase } from '../database.ts';
import { answerName, firstAnswers } from '../first-answers.ts';
import type { ModelOfStudy } from '../model-rows.ts';
import {
  comparedTasks,
  type Compared,
  type GateSource,
  type OpenTasks,
  type SharedTasks,
  type Sides,
  type UnjudgedTasks,
} from './compared.ts';

type Reader = (database: RunDatabase, wanted: ModelOfStudy) => Promise<Solution[]>;

interface Naming {
  /** Whether the solutions can have the metric at all. Default: any. */
  has?(metric: SolutionMetricName): boolean;
  /** The name of a single answer. Default: its variant's, or which repetition it is. */
  placeName?(place: Place): string;
}

/** @param read reads the solutions of one side */
export const solutionsSource =
  (read: Reader, { has = () => true, placeName = phrasingName }: Naming = {}): GateSource =>
  async (database, { sides, byVariant = false, ...tasks }) => {
    const solutions = await Promise.all(
      sides.map(({ manifest, study, model }) => read(database, { run: manifest.runId, study: study.name, model })),
    );
    const comparable = solutions.map((own) => comparableSolutions(own, tasks));
    const cells = sharedCells(comparable, tasks.withoutReference).filter(({ measure }) => has(measure.metric));
    const judged = cells.map((one) => ({ ...passingOf(one, cells), measure: one.measure }));
    return (byVariant ? judged.flatMap(byPlace) : judged).flatMap((one) =>
      comparedMetrics(sides, one).map((compared) =>
        byVariant ? { ...compared, variant: one.places.map(placeName).join() } : compared,
      ),
    );
  };

/**
 * Without tasks whose prompt or tests differ between the sides. Under other suites, whether a program passes one of
 * them and how well it is written stay comparable; its time does not, since it depends on the suite that ran.
 */
export const comparableSolutions = (
  solutions: readonly Solution[],
  { changed, changedRecords = changed }: Pick<Sides, 'changed' | 'changedRecords'>,
): Solution[] =>
  solutions
    .filter(({ taskId }) => !changedRecords.has(taskId))
    .map((solution) => (changed.has(solution.taskId) ? { ...solution, timing: null } : solution));

/**
 * First answers to unchanged prompts, of which only passing is known.
 * @param setting the only one that counts; null: all do
 */
export const firstAnswersIn = (setting: string | null): GateSource =>
  solutionsSource((database, of) => firstAnswers(database, of, setting), { has: isShare, placeName: answerName });

export const firstAnswersSource = firstAnswersIn(null);

/** A name depends on no other place, since each side may have others. */
function phrasingName({ variant, repetition, phrasing }: Place): string {
  if (phrasing === null) return `repetition ${repetition + 1}`;
  return repetition === 0 ? variant : `${variant}, repetition ${repetition + 1}`;
}

/** Times are compared twice: by their mean and by their ratios; both of programs that pass on all sides. */
function comparedMetrics([{ study }]: Sides['sides'], cells: SharedCells): Compared[] {
  const subject: GateSubject = {
    ...cells.measure,
    benchmark: study.benchmark,
    dimension: cells.dimension,
    workflow: cells.setting,
  };
  const { metric } = cells.measure;
  const { range, values } = sideValues(metric, cells.tasks, cells.prompts);
  const own = ownTasks(cells);
  const means = {
    ...comparedTasks(subject, { ...named(cells, values, own), ...openIn(cells) }, range, unjudgedIn(cells)),
    withoutSuite: cells.withoutSuite,
  };
  const ratio = ratioOf[metric];
  if (ratio === undefined) return [means];
  const logs = named(cells, logTimeValues(cells.tasks), own);
  return [means, comparedTasks({ ...subject, metric: ratio }, logs, { kind: 'logTime' })];
}

/** The tasks that all sides have answered, if some answers could not be judged. */
function openIn(cells: SharedCells): Pick<SharedTasks, 'open'> {
  const { measure, tasks, answered, prompts, taskIds } = cells;
  if (!isShare(measure.metric)) return {};
  const found = openShares(tasks, answered, solutionMetrics[measure.metric].scale, prompts);
  if (found === null) return {};
  const { own: judged, byPrompt, least, most } = found;
  const open: OpenTasks = {
    taskIds: found.tasks.map((task) => taskIds[task] as string),
    values: judged.map((own) => filledValues(own)),
    samples: judgedCounts(found.tasks.map((task) => tasks[task] ?? [])),
    own: judged.map((side) => judgedValues(side).length),
    ...{ judged, byPrompt, extremes: { least, most }, unjudged: unjudgedAnswers(tasks, answered) },
  };
  return { open };
}

/** By side: tasks with at least one judged answer. */
function ownTasks({ tasks, partial, sides }: SharedCells): number[] {
  const all = [...tasks, ...partial];
  return Array.from({ length: sides }, (_, side) => all.filter((parts) => parts[side]?.some(isJudged)).length);
}

/** Null if every answer was judged, or if an unjudged one has no worst value. */
function unjudgedIn(cells: SharedCells): UnjudgedTasks | null {
  const all = { tasks: [...cells.tasks, ...cells.partial], answered: cells.answered, alike: cells.alike };
  const taskIds = [...cells.taskIds, ...cells.partialIds];
  const counts = unjudgedOf(all);
  if (!isShare(cells.measure.metric) || cells.sides !== 2 || counts.old + counts.now === 0) return null;
  if (cells.withoutSuite.length > 0) return null;
  return {
    counts,
    worstCase(direction, same) {
      const { values } = sideValues(cells.measure.metric, worstCase(all, direction, same), cells.prompts);
      return named({ ...cells, taskIds }, values, []);
    },
  };
}

const ratioOf: Partial<Record<SolutionMetricName, GateMetricName>> = {
  wall_ms: 'wall_ratio',
  cpu_ms: 'cpu_ratio',
  wall_ms_passing: 'wall_ratio_passing',
  cpu_ms_passing: 'cpu_ratio_passing',
};

export const timeRatios: readonly GateMetricName[] = Object.values(ratioOf);

const named = (
  { taskIds, measure }: SharedCells,
  { tasks, values, shown, quotients, samples }: SideValues,
  own: readonly number[],
): SharedTasks => ({
  taskIds: tasks.map((task) => taskIds[task] as string),
  values,
  ...(shown && { shown }),
  ...(quotients && { quotients }),
  samples: isShare(measure.metric) ? samples : null,
  own,
});
