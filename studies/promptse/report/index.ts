/** PromptSE in a report: stability of each model, the paper's questions and numbers, and the variants. */
import { withMeanings } from '../../../analysis/report/meanings/glossary.ts';
import { wordingMeanings } from './meanings.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { besidePaper } from '../../../analysis/report/beside-paper.ts';
import { paragraph, section } from '../../../analysis/report/part.ts';
import type { StudyReport } from '../../../analysis/report/study-report.ts';
import { boardSections, terminalBoards } from './board.ts';
import { collectPromptse, promptseDocument } from './data.ts';
import { howToRead } from './how-to-read.ts';
import { publishedTables } from './published-tables.ts';
import { questionSections } from './questions/index.ts';
import { phrasingCounts, tasksSection } from './task-grids.ts';
import { variantsSection } from './variants.ts';

export async function promptseReport(database: RunDatabase): Promise<StudyReport> {
  const promptse = await collectPromptse(database);
  const { board, questions, sets, reviews } = promptse;
  const counts = await phrasingCounts(database);
  const models = board.map(({ model }) => model);
  return {
    page: { name: 'wording', title: 'Wording', over: 'PromptSE' },
    document: async () => ({ promptse: await promptseDocument(database, promptse) }),
    outcome: { promptse: board },
    models,
    sections: (context) =>
      withMeanings(
        board.length === 0
          ? []
          : [
              section(
                undefined,
                [
                  ...boardSections(board, context),
                  tasksSection(counts, models, context),
                  variantsSection(sets, reviews),
                  besidePaper([
                    ...questionSections(questions, board, context),
                    section('Comparison with the paper', publishedTables(questions, board)),
                  ]),
                  section('How to read elasticity', howToRead.map(paragraph), { folded: true }),
                ],
                { id: 'stability' },
              ),
            ],
        wordingMeanings,
      ),
    boards: (context) => terminalBoards(board, context),
  };
}
