/** STDEV over phrasings in two parts: what the phrasings differ by, and what tasks and samples add by chance. */
import type { Interval } from '../../statistics/intervals/interval.ts';
import { meanSquares } from '../../statistics/variance/crossed-squares.ts';
import { taskInterval } from '../../statistics/variance/part-estimates.ts';
import type { TaskParts } from '../phrasing-values.ts';

/** Name of the method in tables. */
export const stdevPartsMethod = 'delete-group jackknife over tasks';

interface Part {
  readonly value: number;
  readonly interval: Interval;
}

export interface StdevParts {
  /** Standard deviation of the phrasings' true values on tasks like these; 0 if chance explains all. */
  readonly phrasing: Part;
  /** The STDEV that equal phrasings would have on average. */
  readonly chance: Part;
  /** Tasks with a value for every phrasing: the parts are over these. */
  readonly tasks: number;
}

/**
 * STDEV² = phrasing² + chance²: analysis of variance of tasks x phrasings, where the phrasings' mean square divided by
 * the number of tasks is STDEV², and the interaction's is chance². Where STDEV² is less than chance², phrasing is 0.
 * For measures whose value of a phrasing is a mean over tasks, such as pass@1. Null for fewer than two complete tasks,
 * or phrasings. Example: two tasks that both pass with one phrasing of two and fail with the other have STDEV 0.71, all
 * of it phrasing.
 */
export function stdevParts(tasks: readonly TaskParts[], scale: number): StdevParts | null {
  const phrasings = tasks[0]?.length ?? 0;
  const complete = tasks.flatMap((parts) => {
    const values = parts.map((part) => (part === null ? null : (scale * part.numerator) / part.denominator));
    return values.every((value) => value !== null) ? [values] : [];
  });
  if (phrasings < 2 || complete.length < 2) return null;
  const own = squaresOf(complete, phrasings);
  if (own === null) return null;
  // The greatest variance has half of the phrasings at either end.
  const half = Math.floor(phrasings / 2);
  const most = (scale ** 2 * half * (phrasings - half)) / (phrasings * (phrasings - 1));
  const partOf = (square: (squares: Squares) => number): Part => {
    const statistic = (some: readonly (readonly number[])[]): number | null => {
      const squares = squaresOf(some, phrasings);
      return squares === null ? null : square(squares);
    };
    const shown = Math.max(0, square(own));
    const { lo, hi } = taskInterval(complete, statistic, { shown, most });
    return { value: Math.sqrt(shown), interval: { lo: Math.sqrt(lo), hi: Math.sqrt(hi) } };
  };
  return {
    phrasing: partOf(({ stdev, chance }) => stdev - chance),
    chance: partOf(({ chance }) => chance),
    tasks: complete.length,
  };
}

/** STDEV² and its part by chance. */
interface Squares {
  readonly stdev: number;
  readonly chance: number;
}

/** Bits of the factors, see crossed-squares.ts: phrasings, and tasks x phrasings. */
const [phrasing, interaction] = [4, 5];

function squaresOf(values: readonly (readonly number[])[], phrasings: number): Squares | null {
  if (values.length < 2) return null;
  const squares = meanSquares(values, [values.length, 1, phrasings]);
  return {
    stdev: (squares.get(phrasing) as number) / values.length,
    chance: (squares.get(interaction) as number) / values.length,
  };
}
