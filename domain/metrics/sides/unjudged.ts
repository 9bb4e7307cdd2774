/**
 * Answers of one version, or of both, that could not be judged. To leave such tasks out favours a model that cannot be
 * judged just where it fails, so a gate looks at the worst case too.
 */
import type { Direction } from '../../statistics/tests/version-verdict.ts';
import type { CellPart } from '../phrasing-values.ts';
import type { SideAnswers } from './extremes.ts';
import type { SideParts } from './side-values.ts';

/** Number of tasks with such an answer, of the old version and of the new one. */
export interface Unjudged {
  readonly old: number;
  readonly now: number;
  /** Whether some of them were never asked, and count as little as they can. Default: no. */
  readonly hasUnasked?: true;
  /** Whether some of them may not be there yet, since a run is not complete. Default: no. */
  readonly isPartial?: true;
}

/** Of two sides, the old version and the new one. */
export interface TwoSides {
  readonly tasks: readonly SideParts[];
  /** In the order of `tasks`: where there is an answer, judged or not. */
  readonly answered: readonly SideAnswers[];
  /** By task and place: whether both sides have the same program, run in the same way. Default: nowhere. */
  readonly alike?: readonly (readonly boolean[])[];
}

export function unjudgedOf(sides: TwoSides): Unjudged {
  const lacks = (own: number): number =>
    sides.tasks.filter((parts, task) => parts[own]?.some((_, place) => isOpen(sides, task, own, place))).length;
  return { old: lacks(0), now: lacks(1) };
}

/**
 * Of a share: what the old version's such answers may be at best, and the new one's at worst. Where neither version's
 * could be judged and both are the same program, no change is hidden: both have the value `same`.
 */
export function worstCase(sides: TwoSides, direction: Direction, same: 0 | 1 = 0): SideParts[] {
  const numerators = direction === 'higher' ? [1, 0] : [0, 1];
  return sides.tasks.map((parts, task) =>
    parts.map((own, side) =>
      own.map((part, place) => {
        if (!isOpen(sides, task, side, place)) return part;
        const isAlike = sides.alike?.[task]?.[place] === true && !isJudged(parts[1 - side]?.[place]);
        return { numerator: isAlike ? same : (numerators[side] as number), denominator: 1 };
      }),
    ),
  );
}

/** A side without any answer has not been asked, or its run goes on: that counts too if the other's was judged. */
function isOpen({ tasks, answered }: TwoSides, task: number, side: number, place: number): boolean {
  if (isJudged(tasks[task]?.[side]?.[place])) return false;
  return answered[task]?.[side]?.[place] === true || isJudged(tasks[task]?.[1 - side]?.[place]);
}

export const isJudged = (part: CellPart | undefined): boolean => part !== null && part !== undefined;
