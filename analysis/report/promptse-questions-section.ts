/** The paper's four questions: figures and tables for each. */
import type { PromptseBoardRow } from '../promptse-board.ts';
import type { StudyQuestions } from '../promptse-questions.ts';
import { type DataTable, dataTable } from './data-table.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import { affectTables } from './promptse/affect-tables.ts';
import { distanceTables } from './promptse/distance-tables.ts';
import { affectFigures, distanceFigures, type FigureInput, lightFigures, structureFigures } from './promptse/figures.ts';
import { lightTables } from './promptse/light-tables.ts';
import { structureTables } from './promptse/structure-tables.ts';

interface Question {
  readonly title: string;
  readonly tables: (questions: StudyQuestions) => DataTable[];
  readonly figures: (input: FigureInput) => Promise<Html>;
}

export const questionParts: readonly Question[] = [
  { title: 'RQ1: performance and stability', tables: structureTables, figures: structureFigures },
  { title: 'RQ2: distance, size and family', tables: distanceTables, figures: distanceFigures },
  { title: 'RQ3: PromptSELight for PromptSE', tables: lightTables, figures: lightFigures },
  { title: 'RQ4: emotions and calibration', tables: affectTables, figures: affectFigures },
];

export async function questionsSection(
  all: readonly StudyQuestions[],
  board: readonly PromptseBoardRow[],
  colorOf: ModelColors,
): Promise<Html> {
  const sections: Html[] = [];
  for (const questions of all) {
    const own = board.filter(({ run, study }) => run === questions.run && study === questions.study);
    for (const { title, tables, figures } of questionParts)
      sections.push(html`<section><h3>Study ${questions.study}, ${title}</h3>
${await figures({ questions, board: own, colorOf })}${tables(questions).map(dataTable)}</section>
`);
  }
  return html`${sections}`;
}
