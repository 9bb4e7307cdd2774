/** What tasks that repeat another one's prompt leave of the metrics of a study: such tasks add no evidence. */
import type { RepeatedTasks } from '../../domain/benchmarks/repeated-tasks.ts';
import { counted } from '../../domain/counted.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Row } from '../../schemas/tables.ts';

/** Of a study that has such tasks. */
export interface StudyRepeats extends RepeatedTasks {
  readonly study: string;
  readonly kind: SpecStudy['kind'];
}

/** The repeats among the tasks of a value. */
export interface Repeats {
  /** At least as many where the value is of some of the benchmark's tasks. */
  readonly repeated: number;
  readonly isAtLeast: boolean;
}

/** Null if none of so many tasks of a study must be a repeat. */
export function repeatsAmong(all: readonly StudyRepeats[], study: string, tasks: number): Repeats | null {
  const own = all.find((one) => one.study === study);
  const repeated = own === undefined ? 0 : tasks - (own.tasks - own.repeated);
  return own !== undefined && repeated > 0 ? { repeated, isAtLeast: tasks < own.tasks } : null;
}

/** `29 repeat another`. */
export const briefRepeats = ({ repeated, isAtLeast }: Repeats): string =>
  `${isAtLeast ? 'at least ' : ''}${repeated} ${repeated === 1 ? 'repeats' : 'repeat'} another`;

/** ` (29 of 30 tasks repeat another one's prompt)`; empty for null. */
export function repeatsText(repeats: Repeats | null, tasks: number): string {
  if (repeats === null) return '';
  const { repeated, isAtLeast } = repeats;
  const some = `${isAtLeast ? 'at least ' : ''}${repeated} of ${counted(tasks, 'task')}`;
  return ` (${some} ${repeated === 1 ? 'repeats' : 'repeat'} another one's prompt)`;
}

const unranked = { rank: null, rank_lo: null, rank_hi: null, letters: null, rank_method: null };
const uncounted = { n_better: null, n_worse: null, n_models: null };

/**
 * Rows of `cards` without the ranks that only repeats could show: two models that differ on every one of n different
 * prompts have a p value of 2 / 2^n by an exact test, whatever the number of tasks.
 */
export const withoutRepeatedRanks = (cards: readonly Row[], all: readonly StudyRepeats[]): Row[] =>
  all.length === 0
    ? [...cards]
    : cards.map((row) => (isShownByRepeats(row, all) ? { ...row, ...unranked, ...uncounted } : row));

function isShownByRepeats(row: Row, all: readonly StudyRepeats[]): boolean {
  const tasks = numberOf(row, 'n_tasks');
  return areTooFew(tasks, repeatsAmong(all, textOf(row, 'study'), tasks), numberOf(row, 'confidence'));
}

/** Whether so many different prompts cannot show a difference, of tasks that also repeat some. */
export const areTooFew = (tasks: number, repeats: Repeats | null, confidence: number): boolean =>
  repeats !== null && 2 ** (1 - (tasks - repeats.repeated)) > 1 - confidence;
