/** The designs that a user who wants to see a difference should know of. */
import type { AnswerSpread } from './answer-spread.ts';
import {
  type AnswerPrice,
  cheapestDesign,
  type Design,
  designOf,
  fewestTasks,
  mostTasks,
  smallestDifference,
} from './comparison-design.ts';
import { comparisonPower, type ComparisonSize } from './comparison-power.ts';

export interface PowerQuestion {
  /** True difference of the pass rates, 0 to 1. */
  readonly difference: number;
  /** Wanted probability of finding it. */
  readonly power: number;
  /** Probability of a false alarm in each comparison. */
  readonly alpha: number;
}

export interface Circumstances {
  readonly spread: AnswerSpread;
  /** Tasks that there are; null: as many as needed. */
  readonly tasks: number | null;
  /** Of the two models; null if unknown, then answers are counted. */
  readonly prices: readonly AnswerPrice[] | null;
  /** A design to judge, such as that of a spec. */
  readonly planned?: ComparisonSize;
}

export type DesignName =
  | 'cheapest'
  | 'one answer a task'
  | 'all tasks, one answer'
  | 'all tasks, most answers'
  | 'planned';

export interface NamedDesign extends Design {
  readonly name: DesignName;
  /** The smallest difference that it finds with the wanted power, 0 to 1; null if none. */
  readonly smallest: number | null;
}

export interface PowerAdvice {
  /** Whether some design within the limits has the wanted power. */
  readonly isReachable: boolean;
  readonly designs: readonly NamedDesign[];
}

/** The most answers per task that are considered; more change hardly anything but the bill. */
const mostAnswers = 100;

const one = { repetitions: 1, samples: 1 } as const;

export function powerAdvice(question: PowerQuestion, { spread, tasks, prices, planned }: Circumstances): PowerAdvice {
  const truth = { spread, difference: question.difference, alpha: question.alpha };
  const powerOf = comparisonPower(truth);
  // From one answer per task nothing is known about more.
  const answers = spread.between === null ? 1 : mostAnswers;
  const named = (name: DesignName, size: ComparisonSize): NamedDesign => ({
    name,
    ...designOf(size, powerOf, prices),
    smallest: smallestDifference(size, truth, question.power),
  });
  const cheapest = cheapestDesign(powerOf, question.power, { tasks, answers }, prices);
  const single = fewestTasks(one, powerOf, question.power, tasks ?? mostTasks);
  const designs = [
    ...(planned === undefined ? [] : [named('planned', planned)]),
    ...(cheapest === null ? [] : [named('cheapest', cheapest)]),
    ...(single === null || isSingle(cheapest) ? [] : [named('one answer a task', { ...one, tasks: single })]),
    ...(tasks === null ? [] : [named('all tasks, one answer', { ...one, tasks })]),
    ...(tasks === null || answers === 1
      ? []
      : [named('all tasks, most answers', { tasks, repetitions: answers, samples: 1 })]),
  ];
  return { isReachable: cheapest !== null, designs };
}

const isSingle = (design: Design | null): boolean => design !== null && design.repetitions * design.samples === 1;
