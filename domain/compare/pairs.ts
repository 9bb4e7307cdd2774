/** Compares every two of several models on the same tasks: difference, interval, test, verdict, power. */
import type { Extremes } from '../metrics/sides/extremes.ts';
import { swapChanges } from '../metrics/sides/swap-changes.ts';
import { type TaskRange, termSize } from '../metrics/task-range.ts';
import type { Interval } from '../statistics/intervals/interval.ts';
import { difference } from '../statistics/rounding.ts';
import { mean, standardDeviation } from '../statistics/spread.ts';
import { benjaminiHochberg } from '../statistics/tests/benjamini-hochberg.ts';
import { holmAdjusted } from '../statistics/tests/holm.ts';
import { mcnemarP } from '../statistics/tests/mcnemar.ts';
import { mcnemarEffect, mcnemarTasks, meanPower } from '../statistics/power/paired-power.ts';
import { signFlipEffects } from '../statistics/power/sign-flip-effect.ts';
import { countedSignFlipP } from '../statistics/tests/sign-flip.ts';
import { type Direction, type VersionVerdict, versionVerdict } from '../statistics/tests/version-verdict.ts';
import { heldP } from './held-back.ts';
import {
  changeEstimate,
  changeInterval,
  type JudgedValues,
  meansOnBoth,
  type OpenChanges,
  openChanges,
} from './open-changes.ts';
import { type PairChanges, pairChanges } from './pair-changes.ts';

/** `bounds`: those of the two models, for metrics without values of single tasks. */
export type PairMethod = 'mcnemar_exact' | 'sign_flip' | 'bounds';

export interface PairOptions {
  readonly direction: Direction;
  readonly range: TaskRange;
  /** Differences up to this size do not matter, in the metric's unit; 0: every difference matters. */
  readonly margin: number;
  /** Highest probability of any wrong claim in the family of all pairs. */
  readonly alpha: number;
  /** Of rank intervals and posterior ranks: tests of pairs draw nothing. */
  readonly seed: number;
}

/** In the metric's unit; times as changes in percent. */
export interface PairResult {
  /** Indices of the models; the difference is the first minus the second. */
  readonly first: number;
  readonly second: number;
  /** On the tasks that were judged on both sides. */
  readonly difference: number;
  /** At level 1 - alpha, not adjusted for the family. */
  readonly interval: Interval;
  readonly method: PairMethod;
  readonly p: number;
  /** Adjusted for the family by Holm: one false alarm at most, with probability 1 - alpha. */
  readonly pHolm: number;
  /** Adjusted by Benjamini and Hochberg: at most a share alpha of the differences found is false, on average. */
  readonly pBh: number;
  /** Of the first model, against the second. */
  readonly verdict: VersionVerdict;
  /** Tasks behind the difference, of which a prompt was judged on both sides; null if single tasks have no value. */
  readonly judgedTasks: number | null;
  /** Tasks on which the first is better, and on which the second is; null if single tasks have no value. */
  readonly better: number | null;
  readonly worse: number | null;
  /** The smallest difference detected with probability 0.8 at Holm's strictest step; null if none, or unknown. */
  readonly smallestEffect: number | null;
  /** Tasks on which a difference as large as the observed one is detected with that probability; null if none. */
  readonly tasksNeeded: number | null;
}

/**
 * @param values by model, then by task
 * @param extremes what they may be with answers that could not be judged: a verdict holds with these at their worst,
 *   and an interval has all that they allow
 * @param judged what each task has by itself: on which tasks a model is better, and, of answers that could not all be
 *   judged, by how much
 */
export function comparePairs(
  values: readonly (readonly number[])[],
  options: PairOptions,
  extremes: Extremes | null = null,
  judged: JudgedValues = { own: values },
): PairResult[] {
  const found = testedPairs(values, options, extremes, judged);
  const power = pairPower(options.range, values[0]?.length ?? 0, options.alpha / found.length);
  return found.map(({ changes, swaps, open, ...one }) => ({
    ...resultOf({ changes, swaps, open }, found.length, options, power, one),
    ...taskCounts(meansOnBoth(judged, [one.first, one.second]), options),
  }));
}

/** Tasks on which the first is better, and on which the second; one that was not judged on both sides is neither. */
function taskCounts(
  tasks: readonly (readonly [number, number] | null)[],
  { direction, range }: PairOptions,
): { readonly better: number; readonly worse: number } {
  let [above, below] = [0, 0];
  const size = termSize(range);
  for (const both of tasks) {
    const sign = both === null ? 0 : Math.sign(difference(...both, size));
    if (sign > 0) above += 1;
    if (sign < 0) below += 1;
  }
  return direction === 'higher' ? { better: above, worse: below } : { better: below, worse: above };
}

interface FoundChanges {
  /** First minus second, by task. */
  readonly changes: readonly number[];
  /** The terms whose signs are tested: those of a quotient of sums are other ones. */
  readonly swaps: readonly number[];
  readonly open: OpenChanges | null;
}

function testedPairs(
  values: readonly (readonly number[])[],
  options: PairOptions,
  extremes: Extremes | null,
  judged: JudgedValues,
): (Tested & FoundChanges)[] {
  const pairs = pairChanges(values, termSize(options.range));
  const { quotients } = judged;
  const openOf = openChanges(extremes, judged);
  const isBinary = binaryPairs(values, extremes, options.range);
  const tested = (pair: PairChanges) => pairTest(pair, isBinary(pair), pairs.length);
  const found = pairs.map((pair) => {
    const open = openOf(pair);
    const { changes } = pair;
    const swaps = quotients === undefined ? changes : swapChanges(quotients, pair.first, pair.second);
    const { method, p: found } = tested({ ...pair, changes: swaps });
    const isOpposed = Math.sign(mean(swaps) as number) !== Math.sign(mean(changes) as number);
    const p = isOpposed || isContrary(changes, open) ? 1 : heldP(pair, found, open, (worst) => tested(worst).p);
    return { ...pair, swaps, open, method, p };
  });
  const holm = holmAdjusted(found.map(({ p }) => p));
  const bh = benjaminiHochberg(found.map(({ p }) => p));
  return found.map((one, index) => ({ ...one, pHolm: holm[index] as number, pBh: bh[index] as number }));
}

/** Whether another model is ahead on what was judged of both than by the models' means: then neither is shown to be. */
const isContrary = (changes: readonly number[], open: OpenChanges | null): boolean =>
  open !== null && Math.sign(changeEstimate(changes, open)) !== Math.sign(mean(changes) as number);

/** Whether every task of both models either passes or fails, also with answers that could not be judged. */
export function binaryPairs(
  values: readonly (readonly number[])[],
  extremes: Extremes | null,
  range: TaskRange,
): (pair: PairChanges) => boolean {
  const own = values.map((one, model) =>
    binaryValues([one, ...[extremes?.least[model], extremes?.most[model]].filter((some) => some !== undefined)], range),
  );
  return ({ first, second }) => own[first] === true && own[second] === true;
}

/** Whether every task either passes or fails. */
const binaryValues = (values: readonly (readonly number[])[], range: TaskRange): boolean =>
  range.kind === 'bounded' && values.every((own) => own.every((value) => value === range.lo || value === range.hi));

/** So few pairs are counted as finely as there is time for. */
export const fewPairs = 200;

/** @param family number of pairs */
export function pairTest(
  { changes }: PairChanges,
  isBinary: boolean,
  family: number,
): { readonly method: PairMethod; readonly p: number } {
  if (isBinary) {
    const better = changes.filter((change) => change > 0).length;
    const worse = changes.filter((change) => change < 0).length;
    return { method: 'mcnemar_exact', p: mcnemarP(worse, better) };
  }
  return { method: 'sign_flip', p: countedSignFlipP(changes, family <= fewPairs ? 'fine' : 'coarse') as number };
}

type Tested = Pick<PairResult, 'first' | 'second' | 'method' | 'p' | 'pHolm' | 'pBh'>;

function resultOf(
  { changes, swaps, open }: FoundChanges,
  family: number,
  options: PairOptions,
  power: PairPower,
  tested: Tested,
): Omit<PairResult, 'better' | 'worse'> {
  const { range, direction, alpha, margin } = options;
  const unit = unitOf(range);
  const found = changeEstimate(changes, open);
  const intervalAt = (level: number): Interval => {
    const { lo, hi } = changeInterval(changes, open, range, level);
    return { lo: unit.of(lo), hi: unit.of(hi) };
  };
  const hardest = alpha / family;
  // The claim that a difference does not matter is adjusted for the family too.
  const judged = {
    difference: found,
    interval: margin === 0 ? null : intervalAt(1 - hardest),
    p: tested.pHolm,
  };
  return {
    ...tested,
    difference: unit.of(found),
    interval: intervalAt(1 - alpha),
    judgedTasks: open === null ? changes.length : open.judged.length,
    verdict: versionVerdict(judged, { direction, margin, alpha }),
    // More tasks do not help where answers could not be judged.
    ...(open === null ? power(swaps, found, tested.method) : { smallestEffect: null, tasksNeeded: null }),
  };
}

/** How differences are shown: those of logarithms of times as changes in percent. */
const unitOf = (range: TaskRange): { of(value: number): number } => ({
  of: (value) => (range.kind === 'logTime' ? 100 * Math.expm1(value) : value),
});

type PairPower = (
  changes: readonly number[],
  found: number,
  method: PairMethod,
) => Pick<PairResult, 'smallestEffect' | 'tasksNeeded'>;

/** Many pairs of models that pass or fail have the same counts of tasks, so each answer is computed once. */
function pairPower(range: TaskRange, n: number, hardest: number): PairPower {
  const effectOf = remembered((discordant: number) => mcnemarEffect(n, discordant / n, hardest));
  const tasksOf = remembered((discordant: number, net: number) => mcnemarTasks(net / n, discordant / n, hardest));
  const means = meanPower(hardest);
  const smallestEffect = signFlipEffects(hardest);
  const { of } = unitOf(range);
  return (changes, found, method) => {
    if (method === 'mcnemar_exact' && range.kind === 'bounded') {
      const discordant = changes.filter((change) => change !== 0).length;
      const net = Math.round((n * Math.abs(found)) / (range.hi - range.lo));
      const effect = effectOf(discordant, 0);
      return {
        smallestEffect: effect === null ? null : (range.hi - range.lo) * effect,
        tasksNeeded: tasksOf(discordant, net),
      };
    }
    const effect = smallestEffect(changes);
    return {
      smallestEffect: effect === null ? null : of(effect),
      tasksNeeded: means.tasks(found, standardDeviation(changes) ?? 0),
    };
  };
}

/** @param answer of two whole numbers below 100,000 */
function remembered(
  answer: (discordant: number, net: number) => number | null,
): (discordant: number, net: number) => number | null {
  const known = new Map<number, number | null>();
  return (discordant, net) => {
    const key = 100_000 * discordant + net;
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = answer(discordant, net);
    known.set(key, value);
    return value;
  };
}
