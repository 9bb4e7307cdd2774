/**
 * What a share may be if answers that could not be judged are counted too. Such answers are in no estimate, which
 * favours a model that cannot be judged just where it fails; so a difference counts only if it holds with them at their
 * worst.
 */
import type { CellPart } from '../phrasing-values.ts';
import { mean } from '../../statistics/spread.ts';
import { withDraws } from './draws.ts';
import { judgedValues } from './filled.ts';
import { meanValues, type SideParts } from './side-values.ts';

/** Of the tasks that all sides have answered, by side, then by task. */
export interface Extremes {
  /** With these answers failed, and with them passed. */
  readonly least: readonly (readonly number[])[];
  readonly most: readonly (readonly number[])[];
}

/** What a model's unjudged answers may be or change, as a share, without making ranks doubtful that leave them out. */
export const openShare = 0.01;

/** Of one side, by task. */
export const endsOf = ({ least, most }: Extremes, side: number) => ({
  least: least[side] ?? [],
  most: most[side] ?? [],
});

/** By side: whether answers that could not be judged leave its values open. */
export const openSides = ({ least, most }: Extremes): boolean[] =>
  least.map((own, side) => own.some((value, task) => value !== most[side]?.[task]));

/** A task's places with an answer, judged or not, on each side. */
export type SideAnswers = readonly (readonly boolean[])[];

/** By side: answers that could not be judged. */
export const unjudgedAnswers = (tasks: readonly SideParts[], answered: readonly SideAnswers[]): number[] =>
  (tasks[0] ?? []).map((_, side) =>
    tasks.reduce(
      (sum, sides, task) =>
        sum + (sides[side] ?? []).filter((part, place) => part === null && answered[task]?.[side]?.[place]).length,
      0,
    ),
  );

export interface OpenShares extends Extremes {
  /** Index of each task in the list of tasks. */
  readonly tasks: readonly number[];
  /** By side, then in the order of `tasks`: the mean of its own judged answers; null if none was judged. */
  readonly own: readonly (readonly (number | null)[])[];
  /** By side, task and place: the mean of the judged answers to the prompt of the place; null if none was judged. */
  readonly byPrompt: readonly (readonly (readonly (number | null)[])[])[];
}

/** Null if every answer was judged. @param prompts by place */
export function openShares(
  tasks: readonly SideParts[],
  answered: readonly SideAnswers[],
  scale: number,
  prompts: readonly string[],
): OpenShares | null {
  if (unjudgedAnswers(tasks, answered).every((count) => count === 0)) return null;
  const filled = (numerator: number) =>
    meanValues(
      tasks.map((sides, task) => sides.map((parts, side) => parts.map(partAt(answered[task]?.[side], numerator)))),
      scale,
      prompts,
    );
  const least = filled(0);
  const share = (part: CellPart): number | null => part && (scale * part.numerator) / part.denominator;
  const byPrompt = least.values.map((_, side) =>
    least.tasks.map((task) =>
      withDraws([tasks[task]?.[side] ?? []], prompts)
        .flat()
        .map(share),
    ),
  );
  return {
    ...{ tasks: least.tasks, least: least.values, most: filled(1).values, byPrompt },
    own: byPrompt.map((side) => side.map((shares) => mean(judgedValues(shares)))),
  };
}

const partAt =
  (answered: readonly boolean[] | undefined, numerator: number) =>
  (part: CellPart, place: number): CellPart =>
    part ?? (answered?.[place] === true ? { numerator, denominator: 1 } : null);
