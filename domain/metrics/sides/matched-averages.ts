/**
 * AVG with a requirement and under Function-Only, each over the same tasks. Where a solution does not count, its task
 * is missing from its phrasing's value, and a task may be hard or easy: so each phrasing is compared with each
 * repetition of Function-Only over the tasks that count in both.
 */
import { mean } from '../../statistics/spread.ts';
import type { TaskWithBaseline } from '../nfr-intervals.ts';
import { type CellPart, phrasingSpread } from '../phrasing-values.ts';

export interface MatchedAverages {
  /** Both are null if no task counts in both. */
  readonly own: number | null;
  readonly plain: number | null;
}

/** The tasks with a part that counts on both sides. */
export const matchedTasks = (tasks: readonly TaskWithBaseline[]): TaskWithBaseline[] =>
  tasks.filter(({ own, plain }) => own.some(isCounted) && plain.some(isCounted));

/** Equal to the AVGs of the two sides if every solution counts. @param scale as `phrasingSpread` has it */
export function matchedAverages(tasks: readonly TaskWithBaseline[], scale: number): MatchedAverages {
  if (tasks.every(({ own, plain }) => own.every(isCounted) && plain.every(isCounted))) {
    const averageOf = (side: 'own' | 'plain') =>
      phrasingSpread(
        tasks.map((task) => task[side]),
        scale,
      ).mean;
    return { own: averageOf('own'), plain: averageOf('plain') };
  }
  const [phrasings, repetitions] = [tasks[0]?.own.length ?? 0, tasks[0]?.plain.length ?? 0];
  const found: { readonly own: number; readonly plain: number }[] = [];
  for (let phrasing = 0; phrasing < phrasings; phrasing += 1)
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      const both = quotientsOf(tasks, phrasing, repetition);
      if (both !== null) found.push({ own: scale * both.own, plain: scale * both.plain });
    }
  return { own: mean(found.map(({ own }) => own)), plain: mean(found.map(({ plain }) => plain)) };
}

const isCounted = (part: CellPart): boolean => part !== null;

/** Over the tasks that count in both; null if there is none. */
function quotientsOf(tasks: readonly TaskWithBaseline[], phrasing: number, repetition: number) {
  const [own, plain] = [new Sums(), new Sums()];
  for (const task of tasks) {
    const [here, there] = [task.own[phrasing] ?? null, task.plain[repetition] ?? null];
    if (here === null || there === null) continue;
    own.add(here);
    plain.add(there);
  }
  return own.denominator === 0 || plain.denominator === 0 ? null : { own: own.quotient, plain: plain.quotient };
}

class Sums {
  numerator = 0;
  denominator = 0;

  add(part: NonNullable<CellPart>): void {
    this.numerator += part.numerator;
    this.denominator += part.denominator;
  }

  get quotient(): number {
    return this.numerator / this.denominator;
  }
}
