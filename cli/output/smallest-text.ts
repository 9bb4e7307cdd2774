/** The smallest difference that a design shows, in points, as the table of designs prints it. */
import { missing } from '../../analysis/report/format.ts';
import type { NamedDesign, PowerAdvice, PowerQuestion } from '../../domain/statistics/power/advice.ts';

/** More are not needed: a smallest difference is found to a ten-thousandth of a point. */
const mostDigits = 4;

export interface AskedDesigns {
  readonly question: PowerQuestion;
  readonly advice: Pick<PowerAdvice, 'designs'>;
}

/**
 * Rounded up, so that a difference is not promised that would be missed; with so many digits that no design with the
 * wanted power appears to need a larger difference than the one that was asked for.
 */
export function smallestText({ question, advice }: AskedDesigns): (design: NamedDesign) => string {
  const smallestOf = ({ smallest, power }: NamedDesign): number | null =>
    smallest === null || power < question.power ? smallest : Math.min(smallest, question.difference);
  const reaching = advice.designs.flatMap((design) =>
    design.power >= question.power ? (smallestOf(design) ?? []) : [],
  );
  const digits = Array.from({ length: mostDigits }, (_, place) => place + 1).find((some) =>
    reaching.every((smallest) => pointsUp(smallest, some) <= 100 * question.difference + 1e-9),
  );
  return (design) => {
    const smallest = smallestOf(design);
    return smallest === null
      ? missing
      : `${pointsUp(smallest, digits ?? mostDigits).toFixed(digits ?? mostDigits)} points`;
  };
}

const pointsUp = (difference: number, digits: number): number => {
  const unit = 10 ** digits;
  return Math.ceil(100 * unit * difference - 1e-6) / unit;
};
