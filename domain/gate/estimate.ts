/** The estimate of a gate's check: new compared with old, task by task. Pure. */
import type { Unjudged } from '../metrics/sides/unjudged.ts';
import { changeBounds, type TaskRange, termSize } from '../metrics/task-range.ts';
import { boundedMeanInterval, boundedMeanMethod } from '../statistics/intervals/bounded-mean.ts';
import type { Interval } from '../statistics/intervals/interval.ts';
import { difference } from '../statistics/rounding.ts';
import type { Direction } from '../statistics/tests/version-verdict.ts';
import { decidableMargin, type TaskSpread, tasksNeeded } from './needed.ts';

export interface TaskValue {
  readonly taskId: string;
  readonly old: number;
  readonly now: number;
  /** What the task has by itself, if the values are its part in an estimate: says whether it was lost or gained. */
  readonly shown?: { readonly old: number; readonly now: number };
}

/** What a check needs to know. */
export interface GateQuestion {
  /** Confidence level of each bound. */
  readonly level: number;
  readonly direction: Direction;
  /** In the metric's unit; absent if the margin is a percentage. */
  readonly margin?: number;
  /** In percent of the old value. */
  readonly marginPercent?: number;
}

/** Old and new on the same tasks; null if not available. */
export interface GateEstimate {
  readonly old: number | null;
  readonly now: number | null;
  /** New minus old, or the metric's measure of change; absent: now - old. */
  readonly difference?: number | null;
  /**
   * Of the difference; with a margin in percent, of the one that this margin is compared with. Each end by itself has
   * the requested confidence.
   */
  readonly interval: Interval | null;
  readonly method?: string;
  readonly tasks?: TaskEvidence;
  /** Why nothing can be compared although answers were judged. */
  readonly why?: string;
  /** Absent if every answer was judged. */
  readonly unjudged?: UnjudgedEvidence;
  /** All answers of the new side are those of the old one, so that the models cannot differ. */
  readonly sameAnswers?: true;
  /** Other sandboxes judged the programs of the two sides, so that a difference may be one of the sandboxes. */
  readonly judgedApart?: true;
  /** The subject's suite did not judge one of the runs. */
  readonly suiteGap?: SuiteGap;
}

/** Ids of the run that a suite did not judge, and of the other one. */
export interface SuiteGap {
  readonly without: string;
  readonly having: string;
}

/** Tasks with answers that could not be judged; the estimate leaves such answers out. */
export interface UnjudgedEvidence extends Unjudged {
  /** With these answers passed in the old version and failed in the new one. */
  readonly worstCase: Pick<GateEstimate, 'old' | 'now' | 'interval'>;
  /** With these answers failed in the old version and passed in the new one. */
  readonly bestCase: Pick<GateEstimate, 'old' | 'now' | 'interval'>;
}

/** The tasks behind an estimate. */
export interface TaskEvidence {
  /** Tasks compared. */
  readonly n: number;
  /** Tasks that became worse, and better: the discordant pairs of pass@1. Null if single tasks have no value. */
  readonly lost: number | null;
  readonly gained: number | null;
  /** Ids of these tasks, if the metric names them. */
  readonly lostIds: readonly string[];
  readonly gainedIds: readonly string[];
  /** Tasks that would decide the check with power 0.8 if nothing is lost; null if no number can. */
  readonly needed: number | null;
  /** The smallest margin that this many tasks decide with that power; null if they decide none below a total loss. */
  readonly decidable: number | null;
}

const nothing: GateEstimate = { old: null, now: null, interval: null };

export interface Comparable {
  readonly tasks: readonly TaskValue[];
  readonly range: TaskRange;
  /** Whether to name the tasks that changed. */
  readonly names: boolean;
}

/**
 * With a margin in percent, the old value is itself an estimate: so new - factor x old is tested, task by task, and its
 * interval is shifted to the difference, so that it can be compared with the estimated margin.
 */
export function estimateOf(compared: Comparable, question: GateQuestion): GateEstimate {
  const { tasks, range } = compared;
  if (tasks.length === 0) return nothing;
  const [old, now] = [meanOf(tasks, 'old'), meanOf(tasks, 'now')];
  const factor = factorOf(question, old, range);
  const changes = tasks.map((task) => difference(task.now, factor * task.old, termSize(range)));
  const bounds = changeBounds(range, factor, changes);
  const found = boundedMeanInterval(changes, bounds, { level: 2 * question.level - 1 }) as Interval;
  const unchanged = (1 - factor) * old;
  const interval = { lo: found.lo - unchanged, hi: found.hi - unchanged };
  const margin = question.marginPercent === undefined ? (question.margin ?? 0) : Math.abs(unchanged);
  const spread = {
    deviation: Math.sqrt(changes.reduce((sum, change) => sum + (change - unchanged) ** 2, 0) / tasks.length),
    worst: question.direction === 'higher' ? unchanged - bounds.lo : bounds.hi - unchanged,
  };
  const evidence = evidenceOf(compared, question, spread, margin);
  const method = range.kind === 'bounded' ? boundedMeanMethod : `${boundedMeanMethod}, within assumed limits`;
  return range.kind === 'logTime'
    ? {
        old: Math.exp(old),
        now: Math.exp(now),
        difference: percentOf(now - old),
        interval: { lo: percentOf(interval.lo), hi: percentOf(interval.hi) },
        method,
        tasks: evidence,
      }
    : { old, now, difference: difference(now, old), interval, method, tasks: evidence };
}

/** A ratio's logarithm as a change in percent. */
const percentOf = (log: number): number => 100 * Math.expm1(log);

const meanOf = (tasks: readonly TaskValue[], version: 'old' | 'now'): number =>
  tasks.reduce((sum, task) => sum + task[version], 0) / tasks.length;

/** The allowed new value as a share of the old one: 0.98 if 2 % of something that should be high may be lost. */
function factorOf({ marginPercent, direction }: GateQuestion, old: number, range: TaskRange): number {
  if (marginPercent === undefined) return 1;
  // Where these tasks have 0 and no task can be below it, the true old value is not below it either.
  const sign = old === 0 && !(range.kind === 'bounded' && range.lo < 0) ? 1 : Math.sign(old);
  const loss = (sign * marginPercent) / 100;
  return direction === 'higher' ? 1 - loss : 1 + loss;
}

function evidenceOf(
  { tasks, range, names }: Comparable,
  { level, direction }: GateQuestion,
  spread: TaskSpread,
  margin: number,
): TaskEvidence {
  const better = direction === 'higher' ? 1 : -1;
  const changed = (way: number): TaskValue[] =>
    tasks.filter(({ shown, ...task }) => {
      const { old, now } = shown ?? task;
      return Math.sign(difference(now, old, termSize(range))) === way * better;
    });
  const [lost, gained] = [changed(-1), changed(1)];
  const idsOf = (some: readonly TaskValue[]): string[] => (names ? some.map(({ taskId }) => taskId) : []);
  const tail = 1 - level;
  const decidable = decidableMargin(tasks.length, spread, tail);
  const isTime = range.kind === 'logTime';
  return {
    n: tasks.length,
    lost: lost.length,
    gained: gained.length,
    lostIds: idsOf(lost),
    gainedIds: idsOf(gained),
    needed: tasksNeeded(isTime ? logMargin(margin, direction) : margin, spread, tail),
    decidable: decidable >= spread.worst ? null : isTime ? Math.abs(percentOf(better * -decidable)) : decidable,
  };
}

/** A margin in percent of time as a logarithm. */
const logMargin = (percent: number, direction: Direction): number =>
  direction === 'lower' ? Math.log1p(percent / 100) : -Math.log1p(-Math.min(percent, 99) / 100);
