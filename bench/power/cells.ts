/** Kinds of comparisons whose promised power is checked. */
import { type AnswerSpread, statedSpread } from '../../domain/statistics/power/answer-spread.ts';
import { fewestTasks } from '../../domain/statistics/power/comparison-design.ts';
import {
  comparisonPower,
  type ComparisonSize,
  type ComparisonTruth,
} from '../../domain/statistics/power/comparison-power.ts';
import { foundShare, isPossible, type Shape } from './simulated-comparisons.ts';

export interface PowerCell {
  readonly name: string;
  readonly shape: Shape;
  readonly truth: ComparisonTruth;
  readonly size: ComparisonSize;
  /** As `power` states it. */
  readonly promised: number;
}

/**
 * Between tasks, within tasks, correlation: a strong model, one at 50 %, unlike models, alike ones, tasks that are
 * nearly always passed or failed, and repetitions that differ.
 */
const spreads: Readonly<Record<string, AnswerSpread>> = {
  strong: statedSpread(0.09, 0.0375, 0.7),
  middling: statedSpread(0.15, 0.1, 0.5),
  unlike: statedSpread(0.1, 0.11, 0),
  alike: statedSpread(0.17, 0.03, 0.9),
  decided: statedSpread(0.14, 0.005, 0.6),
  repeated: { ...statedSpread(0.1, 0.1, 0.6), runShare: 0.3 },
};

const differences = [0.03, 0.05, 0.1, 0.2];
const splits = [
  { repetitions: 1, samples: 1 },
  { repetitions: 3, samples: 1 },
  { repetitions: 10, samples: 1 },
  { repetitions: 2, samples: 5 },
];
const powers = [0.8, 0.9];

/** More tasks would take minutes per cell, and the approximation only gets better. */
const mostTasks = 800;

/** Each with the fewest tasks that are promised to be enough. */
export function powerCells(shapes: readonly Shape[] = ['beta', 'decided']): PowerCell[] {
  const cells: PowerCell[] = [];
  for (const [name, spread] of Object.entries(spreads))
    for (const difference of differences)
      for (const split of splits)
        for (const power of powers) {
          const truth = { spread, difference, alpha: 0.05 };
          const powerOf = comparisonPower(truth);
          const tasks = fewestTasks(split, powerOf, power, mostTasks);
          if (tasks === null) continue;
          const size = { ...split, tasks };
          const promised = powerOf(size);
          for (const shape of shapes) if (isPossible(truth, shape)) cells.push({ name, shape, truth, size, promised });
        }
  return cells;
}

/** The share of simulated comparisons in which the difference was found. */
export const foundIn = ({ size, truth, shape }: PowerCell, comparisons: number, seed: number): number =>
  foundShare(size, truth, shape, { comparisons, seed });
