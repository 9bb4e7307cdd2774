/**
 * Answers of one version that could not be judged, where the other's were. To leave such tasks out favours a model that
 * cannot be judged just where it fails, so a gate looks at the worst case too.
 */
import type { Direction } from '../../statistics/tests/version-verdict.ts';
import type { CellPart } from '../phrasing-values.ts';
import type { SideParts } from './side-values.ts';

/** Number of tasks with such an answer, of the old version and of the new one. */
export interface Unjudged {
  readonly old: number;
  readonly now: number;
}

/** @param tasks of two sides, the old version and the new one */
export function unjudgedOf(tasks: readonly SideParts[]): Unjudged {
  const lacks = (own: number, other: number): number =>
    tasks.filter((sides) => sides[own]?.some((part, place) => part === null && isJudged(sides[other]?.[place]))).length;
  return { old: lacks(0, 1), now: lacks(1, 0) };
}

/** Of a share: what the old version's such answers may be at best, and the new one's at worst. */
export function worstCase(tasks: readonly SideParts[], direction: Direction): SideParts[] {
  const [best, worst] = direction === 'higher' ? [1, 0] : [0, 1];
  return tasks.map(([old = [], now = []]) => [filled(old, now, best), filled(now, old, worst)]);
}

const filled = (own: readonly CellPart[], other: readonly CellPart[], numerator: number): CellPart[] =>
  own.map((part, place) => part ?? (isJudged(other[place]) ? { numerator, denominator: 1 } : null));

export const isJudged = (part: CellPart | undefined): boolean => part !== null && part !== undefined;
