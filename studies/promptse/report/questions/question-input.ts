/** The data for the figures of a question. */
import type { PromptseBoardRow } from '../../results/board.ts';
import type { StudyQuestions } from '../../results/questions/study-questions.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';

export interface QuestionInput {
  readonly questions: StudyQuestions;
  /** Board rows of the study, of both methods. */
  readonly board: readonly PromptseBoardRow[];
  readonly colorOf: ReportContext['colorOf'];
}

export const distanceAxis = { title: 'distance', format: '.1f', ticks: [0.1, 0.2, 0.3] } as const;
export const fromOriginalAxis = {
  title: 'distance (0: the original)',
  format: '.1f',
  ticks: [0, 0.1, 0.2, 0.3],
} as const;

/** With more lines their labels overlap, so none is drawn. */
export const mostNamedLines = 8;
export const byModel = 'one line per model';
