/** Metrics whose values depend on how many answers a study asks for. */
import type { GateMetricName } from '../../domain/gate/metrics.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { isSame, type Sides } from './compared.ts';

interface Numbered<S extends SpecStudy> {
  readonly metrics: readonly GateMetricName[];
  /** The conditions that this is about. */
  readonly condition: string;
  /** By the settings' names; null if the study does not measure these metrics. */
  numbersOf(study: S): Readonly<Record<string, number | 'all'>> | null;
}

/** Compared only between sides with the same numbers. `numbersOf` is a method, so that a kind fits the general type. */
export type AnswerNumbers<S extends SpecStudy = SpecStudy> = Numbered<S>;

export const haveSameNumbers = <S extends SpecStudy>(
  sides: Sides<S>['sides'],
  numbers: Pick<AnswerNumbers<S>, 'numbersOf'>,
): boolean => isSame(sides, (study) => numbers.numbersOf(study));
