/** Survival over whole numbers of loops: Kaplan and Meier's curve, the hazard of each loop, and the log-rank test between two groups. */
import type { Interval } from './interval.ts';
import { defaultLevel, tailOf } from './interval.ts';
import { chiSquareTail, normalQuantile } from './special.ts';
import { type TestResult, undefinedTest } from './test-result.ts';
import { wilsonInterval } from './wilson.ts';

/** When something ended, from 1; `ended` is false where it had not by then (censored). */
export interface Duration {
  readonly time: number;
  readonly ended: boolean;
}

export interface SurvivalStep {
  readonly time: number;
  readonly atRisk: number;
  readonly ended: number;
  /** Of those at risk, the share that ended now, with Wilson's interval. */
  readonly hazard: number;
  readonly hazardInterval: Interval;
  /** Kaplan and Meier's estimate of lasting beyond this time. */
  readonly survival: number;
  /** Greenwood's variance on the log-log scale; null at 1 and at 0, where it is undefined. */
  readonly interval: Interval | null;
}

/** One step for each time from 1 to the last that anybody is at risk at. */
export function kaplanMeier(durations: readonly Duration[], level = defaultLevel): SurvivalStep[] {
  const last = durations.reduce((most, { time }) => Math.max(most, time), 0);
  const steps: SurvivalStep[] = [];
  let survival = 1;
  let variance = 0;
  for (let time = 1; time <= last; time += 1) {
    const atRisk = durations.filter((duration) => duration.time >= time).length;
    const ended = endedAt(durations, time);
    survival *= 1 - ended / atRisk;
    variance += ended === atRisk ? 0 : ended / (atRisk * (atRisk - ended));
    steps.push({
      time,
      atRisk,
      ended,
      hazard: ended / atRisk,
      hazardInterval: wilsonInterval(ended, atRisk, level) ?? { lo: 0, hi: 1 },
      survival,
      interval: logLogInterval(survival, variance, level),
    });
  }
  return steps;
}

const endedAt = (durations: readonly Duration[], at: number): number => durations.filter(({ time, ended }) => ended && time === at).length;

function logLogInterval(survival: number, variance: number, level: number): Interval | null {
  if (survival <= 0 || survival >= 1) return null;
  const spread = (normalQuantile(1 - tailOf(level)) * Math.sqrt(variance)) / Math.log(survival);
  const bound = (direction: 1 | -1): number => survival ** Math.exp(direction * spread);
  return { lo: Math.min(bound(1), bound(-1)), hi: Math.max(bound(1), bound(-1)) };
}

/**
 * The log-rank test of two groups (Mantel 1966): chi-square on one degree of freedom. It takes the groups as independent; two models that were
 * asked the same tasks are not quite, which makes it conservative where tasks are hard for both.
 */
export function logRank(first: readonly Duration[], second: readonly Duration[]): TestResult {
  const n = first.length + second.length;
  if (first.length === 0 || second.length === 0) return undefinedTest(n, 'a group is empty');
  const times = new Set([...first, ...second].filter(({ ended }) => ended).map(({ time }) => time));
  let excess = 0;
  let variance = 0;
  for (const time of times) {
    const [risk1, risk2] = [first, second].map((group) => group.filter((one) => one.time >= time).length) as [number, number];
    const [risk, ended] = [risk1 + risk2, endedAt(first, time) + endedAt(second, time)];
    excess += endedAt(first, time) - (ended * risk1) / risk;
    if (risk > 1) variance += (ended * risk1 * risk2 * (risk - ended)) / (risk ** 2 * (risk - 1));
  }
  if (variance === 0) return undefinedTest(n, 'nothing tells the groups apart: none ended while both were at risk');
  const statistic = excess ** 2 / variance;
  return { statistic, p: chiSquareTail(1, statistic), n, reason: null };
}
