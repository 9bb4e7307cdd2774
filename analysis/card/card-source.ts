/** What a study provides for the cards of its models. */
import type { CardMeasure } from '../../domain/card/card-measure.ts';
import type { CardMetric } from '../../domain/card/card-metric.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import type { Sides } from '../gate/compared.ts';
import type { StudyRepeats } from './repeated-prompts.ts';
import type { PassAnswers, StudyAnswers } from './study-answers.ts';

interface Sources<S extends SpecStudy> {
  /** The metrics that `read` may give. */
  readonly metrics: readonly CardMetric[];
  /** Which answers its pass@1 is of. Default: it gives none. */
  readonly passes?: PassAnswers;
  /** The measures of all sides, each over the sides in their order. */
  read(database: RunDatabase, sides: Sides<S>): Promise<readonly CardMeasure[]>;
}

/** Metrics of the card of a kind of study. A source of one kind fits the general type. */
export type CardSource<S extends SpecStudy = SpecStudy> = Sources<S>;

/** A new version that a study shows to be worse than the old one. */
export interface WorseVersion {
  readonly run: string;
  readonly model: string;
  readonly old: string;
  /** Each such verdict, pass@1 first: `pass@1 base with reliability (-11.67 points, ...)`. */
  readonly verdicts: readonly string[];
}

/** One card per model, and how far rankings by their metrics agree. */
export interface Cards {
  /** Rows of table `cards`. */
  readonly cards: readonly Row[];
  /** Rows of table `card_agreement`. */
  readonly card_agreement: readonly Row[];
  readonly sentences: readonly SaidModel[];
  /** Of the models in the rows. */
  readonly worse: readonly WorseVersion[];
  /** The metrics that the rows may name. */
  readonly metrics: readonly CardMetric[];
  /** Studies with tasks that repeat another one's prompt. Default: none. */
  readonly repeated?: readonly StudyRepeats[];
  /** The studies' first answers, in the order of the spec. Default: not known. */
  readonly answers?: readonly StudyAnswers[];
}

/** What is known of the studies of the rows. */
export type KnownStudies = Pick<Cards, 'repeated' | 'answers'>;

/** What may be said about a model in one sentence. */
export interface SaidModel {
  readonly run: string;
  readonly model: string;
  readonly simulated: boolean;
  readonly sentence: string;
}
