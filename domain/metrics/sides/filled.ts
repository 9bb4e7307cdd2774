/** Values of tasks of which some were not judged. */
import { mean } from '../../statistics/spread.ts';

/**
 * A side's mean in the place of its missing values, so that they change neither its mean nor any other side. If all
 * values cannot have this mean, each is the end that is nearer to it.
 * @param ends least and most of each value; default: any
 */
export function filledValues(own: readonly (number | null)[], ends?: Ends): number[] {
  const typical = mean(judgedValues(own)) ?? 0;
  const filled = own.map((value) => value ?? typical);
  if (ends === undefined || judgedValues(own).length === 0) return filled;
  const [found, least, most] = [filled, ends.least, ends.most].map((values) => mean(values) ?? 0) as Means;
  return found < least ? [...ends.least] : found > most ? [...ends.most] : filled;
}

interface Ends {
  readonly least: readonly number[];
  readonly most: readonly number[];
}
type Means = [found: number, least: number, most: number];

export const judgedValues = (own: readonly (number | null)[]): number[] => own.filter((value) => value !== null);
