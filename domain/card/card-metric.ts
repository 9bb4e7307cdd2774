/** What a study puts on a model's card: a metric with its name there, its direction and its trait. */
import type { Direction } from '../statistics/tests/version-verdict.ts';

/** What metrics are about. Rankings by two metrics of one trait should agree more than those of two traits. */
export const cardTraits = ['correctness', 'wording', 'loops', 'requirements', 'detail', 'versions', 'cost'] as const;
export type CardTrait = (typeof cardTraits)[number];

export interface CardMetric {
  /** In table `cards`; unique. */
  readonly name: string;
  /** Head of its column. */
  readonly title: string;
  readonly trait: CardTrait;
  /** What a sentence calls it, where its trait has several metrics. Default: the name of the trait. */
  readonly aspect?: string;
  /** Which direction is good. */
  readonly direction: Direction;
  /** As tables have it; empty if it has none. */
  readonly unit: string;
  /** What people read instead; empty for a score. Default: the unit. */
  readonly saidUnit?: string;
  /** What its values mean, for tooltips: a sentence without its full stop. */
  readonly meaning: string;
  /** How a value is written, without its unit. */
  text(value: number): string;
  /** How an end of its interval is written. Default: as a value. */
  endText?(end: number): string;
  /** A clause about one model that only says what the interval allows, such as `passes 62.1 % (54.0 – 69.8) of it`. */
  says(said: SaidEstimate): string;
}

/** ` %`: the unit behind a value that people read; empty if it has none. */
export function unitAfter({ unit, saidUnit = unit }: Pick<CardMetric, 'unit' | 'saidUnit'>): string {
  return saidUnit === '' ? '' : ` ${saidUnit}`;
}

/** `pass@1, %`: the head of a column or an axis. */
export const titleWithUnit = ({ title, unit, saidUnit = unit }: CardMetric): string =>
  saidUnit === '' ? title : `${title}, ${saidUnit}`;

/** An estimate for a sentence. */
export interface SaidEstimate {
  readonly value: number;
  /** Null if it has no interval; `hi` is null if it has no upper end. */
  readonly interval: { readonly lo: number; readonly hi: number | null } | null;
  /** The value with its unit, and its interval in parentheses: `62.1 % (54.0 – 69.8)`. */
  readonly text: string;
  /** The name of the interval's lower end, of a metric whose values are places in a list. */
  readonly loText?: string;
  /** Tasks behind it, and all tasks of the model. */
  readonly tasks: number;
  readonly ownTasks: number;
  /** All tasks of its column, if fewer of this model could be judged. Default: those behind it. */
  readonly allTasks?: number;
  readonly condition: string;
  /** Null if the benchmark has only one suite. */
  readonly suite: string | null;
  /** `without a requirement`: the prompts that a pass@1 is of, where others are compared too. Default: not said. */
  readonly prompts?: string | null;
  /** Of a change of version: what else the study shows to be worse, the worst first. Default: nothing. */
  readonly worse?: readonly string[];
}

/** ` on suite base`, if there are others. */
export const onSuite = ({ suite }: Pick<SaidEstimate, 'suite'>): string => (suite === null ? '' : ` on suite ${suite}`);

/** ` without a requirement`, if other prompts are compared too. */
export const ofPrompts = ({ prompts = null }: Pick<SaidEstimate, 'prompts'>): string =>
  prompts === null ? '' : ` ${prompts}`;

/** For a clause that has the estimate in parentheses: `-0.12, -0.20 – -0.04`. */
export const withoutParentheses = ({ text }: SaidEstimate): string => text.replace(/ \((?<range>.*)\)$/, ', $<range>');
