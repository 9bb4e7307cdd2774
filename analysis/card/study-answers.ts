/** The first answers of each study, whose pass@1 a page shows. */
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';

/** Which answers a study's pass@1 is of. */
export interface PassAnswers {
  /** SQL condition on `verdicts`. */
  readonly where: string;
  /** `without a requirement`: which of its prompts they answer, where pass@1 of others is compared too; else null. */
  readonly prompts: string | null;
}

export interface StudyAnswers extends Pick<PassAnswers, 'prompts'> {
  readonly study: string;
  /** The mean number of a model's answers. */
  readonly perModel: number;
}

/** What `prompts` says of the study of a row, if the row is a pass@1; else null. */
export const promptsOf = (row: Row, all: readonly StudyAnswers[] = []): string | null =>
  row['trait'] === 'correctness' ? (studyAnswers(row, all)?.prompts ?? null) : null;

export const studyAnswers = (row: Row, all: readonly StudyAnswers[]): StudyAnswers | undefined =>
  all.find(({ study }) => study === textOf(row, 'study'));
