/** The paper's four questions for each study: figures, then tables. */
import type { PromptseBoardRow } from '../../results/board.ts';
import type { StudyQuestions } from '../../results/questions/study-questions.ts';
import { openShare } from '../../../../domain/metrics/sides/extremes.ts';
import { nameList } from '../../../../domain/name-list.ts';
import { note, type Part, type Section, section } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';
import { methodName, methods } from '../methods.ts';
import { affectFigure } from './affect-figure.ts';
import { affectTables } from './affect-tables.ts';
import { confidenceFigure } from './confidence-figure.ts';
import { distanceFigure } from './distance-figure.ts';
import { distanceTables } from './distance-tables.ts';
import { lightFigure } from './light-figure.ts';
import { lightTables } from './light-tables.ts';
import type { QuestionInput } from './question-input.ts';
import { structureFigure } from './structure-figure.ts';
import { structureTables } from './structure-tables.ts';

interface Question {
  readonly title: string;
  readonly parts: (input: QuestionInput) => Part[];
}

const leftOutNote = (of: string, models: readonly string[]): Part[] =>
  models.length === 0
    ? []
    : [
        note(
          `${of}models that lack over ${100 * openShare} % of the tasks that any of them has are not in the ` +
            `tables: ${nameList(models)}. \`compare\` has the tasks that all share.`,
        ),
      ];

const questionParts: readonly Question[] = [
  {
    title: 'RQ1: performance and stability',
    parts: (input) => [
      ...methods.flatMap((method) => leftOutNote(`${methodName[method]}: `, input.questions.fewerTasks[method])),
      structureFigure(input),
      ...structureTables(input.questions),
    ],
  },
  {
    title: 'RQ2: distance, size and family',
    parts: (input) => [
      ...leftOutNote('', input.questions.fewerTasks.deltas),
      distanceFigure(input),
      ...distanceTables(input.questions),
    ],
  },
  {
    title: 'RQ3: PromptSELight as an estimate of PromptSE',
    parts: (input) => [lightFigure(input), ...lightTables(input.questions)],
  },
  {
    title: 'RQ4: emotions and calibration',
    parts: (input) => [affectFigure(input), confidenceFigure(input), ...affectTables(input.questions)],
  },
];

export const questionSections = (
  all: readonly StudyQuestions[],
  board: readonly PromptseBoardRow[],
  { colorOf, severalRuns }: ReportContext,
): Section[] =>
  all.map((questions) => {
    const { run, study } = questions;
    const own = board.filter((row) => row.run === run && row.study === study);
    return section(
      `Study ${study}: the paper’s questions${severalRuns ? `, run ${run}` : ''}`,
      questionParts.map(({ title, parts }) => section(title, parts({ questions, board: own, colorOf }))),
    );
  });
