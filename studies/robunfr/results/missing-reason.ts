/** Why a measure of RobuNFR has no value: the benchmark's references, the sandbox, or a limit of evenkeel. */
import { allTasks, type TasksBySuite } from '../../../analysis/answers/without-reference.ts';
import type { Measure } from '../../../domain/metrics/nfr-solutions.ts';
import { solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';
import { nameList } from '../../../domain/name-list.ts';

export interface Surroundings {
  /** Of the sandbox. */
  readonly tier: string;
  /** Ids of the tasks with answers. */
  readonly tasks: ReadonlySet<string>;
  /** Tasks whose reference gives no output. */
  readonly withoutReference: TasksBySuite;
  /** The suite that programs are timed on; undefined: the benchmark's first. */
  readonly timedSuite: string | undefined;
}

export function missingReason({ metric, suite }: Measure, around: Surroundings): string {
  const { tier, tasks, withoutReference, timedSuite } = around;
  const judgedOn = metric === 'pass_at_1' ? (suite ?? undefined) : timedSuite;
  const without = judgedOn === undefined ? allTasks(withoutReference) : (withoutReference.get(judgedOn) ?? new Set());
  const dead = [...tasks].filter((task) => without.has(task)).toSorted();
  if (metric === 'pass_at_1') return noneCounts(dead, tasks.size);
  if (tier === 'embedded')
    return 'not measured: the embedded sandbox has pass only; quality and time need bubblewrap or a container engine';
  if (solutionMetrics[metric].unit === 'ms') return noTime(dead, tasks.size);
  if (tier === 'bubblewrap')
    return 'no solution has measures: see table quality for the reasons; earlier versions had no Pylint here';
  return 'no solution has measures: see table quality for the reasons';
}

function noneCounts(dead: readonly string[], tasks: number): string {
  if (dead.length === 0) return 'no solution counts: all were excluded because of limits of evenkeel';
  const others = dead.length === tasks ? '' : ', and limits of evenkeel excluded all solutions of the other tasks';
  return `no solution counts: ${noOutput(dead)}${others}; see table suites`;
}

const noTime = (dead: readonly string[], tasks: number): string =>
  dead.length > 0 && dead.length === tasks
    ? `no solution has a time: ${noOutput(dead)}, and only judged programs are timed; see table suites`
    : 'no solution has a time: see tables executions and timings';

const noOutput = (dead: readonly string[]): string =>
  dead.length === 1
    ? `the reference of the task ${nameList(dead)} gives no output to compare with`
    : `the references of the tasks ${nameList(dead)} give no output to compare with`;
