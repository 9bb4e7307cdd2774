/** Values of tasks of which some were not judged. */
import { mean } from '../../statistics/spread.ts';

/** A side's mean in the place of its missing values, so that they change neither its mean nor any other side. */
export function filledValues(own: readonly (number | null)[]): number[] {
  const typical = mean(judgedValues(own)) ?? 0;
  return own.map((value) => value ?? typical);
}

export const judgedValues = (own: readonly (number | null)[]): number[] => own.filter((value) => value !== null);
