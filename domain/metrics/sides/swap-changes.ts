/** The change of a quotient of sums (messages / lines) from one side to another, task by task, for a test of swaps. */
import { mean } from '../../statistics/spread.ts';
import type { TaskParts } from '../phrasing-values.ts';
import type { Quotients } from './side-values.ts';

/**
 * Terms whose mean is the difference of the quotients, as far as both sides have as many lines. If a task's two sides
 * are swapped, its term changes its sign, and no other term changes: the quotient of both sides together, which it is
 * linearised at, stays. So the test of their signs is exact if the sides are equal. (Linearised at each side's own
 * quotient, tasks that are the same on both sides all differ by the same trifle, which looks like agreement.)
 * Example: with counts 1, 0 and 0, 0 in two tasks of 5 lines on both sides, the terms are 0.2 and 0.
 */
export function swapChanges({ scale, parts }: Quotients, first: number, second: number): number[] {
  const [own = [], other = []] = [parts[first], parts[second]];
  const columns = (own[0] ?? []).map((_, place) => columnOf(own, other, place)).filter((column) => column !== null);
  return own.map((_, task) => scale * (mean(columns.map((column) => column[task] as number)) ?? 0));
}

/** The terms of one phrasing; null if nothing counts. */
function columnOf(own: readonly TaskParts[], other: readonly TaskParts[], place: number): number[] | null {
  const pairs = own.map((parts, task) => [parts[place] ?? null, other[task]?.[place] ?? null] as const);
  const [counts, lines] = [sumOf(pairs, 'numerator'), sumOf(pairs, 'denominator')];
  if (lines === 0) return null;
  const weight = (2 * own.length) / lines;
  return pairs.map(([one, two]) => {
    const [more, longer] = [differenceOf(one, two, 'numerator'), differenceOf(one, two, 'denominator')];
    return weight * (more - (counts / lines) * longer);
  });
}

type Pair = readonly [TaskParts[number], TaskParts[number]];
type Amount = 'numerator' | 'denominator';

const differenceOf = (one: Pair[0], two: Pair[1], of: Amount): number => (one?.[of] ?? 0) - (two?.[of] ?? 0);
const sumOf = (pairs: readonly Pair[], of: Amount): number =>
  pairs.flat().reduce((sum, part) => sum + (part?.[of] ?? 0), 0);
