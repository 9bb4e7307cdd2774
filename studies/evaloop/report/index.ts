/** EVALOOP in a report. */
import type { RunDatabase } from '../../../analysis/database.ts';
import type { ExternalRanking } from '../../../analysis/external-ranking.ts';
import type { StudyReport } from '../../../analysis/report/study-report.ts';
import { attacksSection } from './attacks.ts';
import { besidePaper } from '../../../analysis/report/beside-paper.ts';
import { boardsSection, terminalBoards } from './boards.ts';
import { collectEvaloop } from './data.ts';
import { failuresSection } from './failures.ts';
import { lastedLoops } from './lasted-loops.ts';
import { judgesSection, judgeTables } from './judges.ts';
import { withMeanings } from '../../../analysis/report/meanings/glossary.ts';
import { loopMeanings } from './meanings.ts';
import { lossesSection } from './losses/index.ts';
import { aslMethod } from './method.ts';
import { ranksSection } from './ranks/index.ts';
import { publishedPlaces } from './ranks/published-places.ts';
import { namedOnce } from './study-name.ts';
import { tasksSection } from './task-grids.ts';

export async function evaloopReport(database: RunDatabase, ranking: ExternalRanking | null): Promise<StudyReport> {
  const data = await collectEvaloop(database, ranking);
  const lasted = await lastedLoops(database);
  const { leaderboard: rows, evaloop, endings, matrices } = data;
  return {
    page: { name: 'loops', title: 'Loops', over: 'EVALOOP' },
    document: () => Promise.resolve(data),
    outcome: { leaderboard: rows },
    models: rows.map(({ model }) => model),
    sections: (context) =>
      withMeanings(
        namedOnce(
          [
            boardsSection(rows, evaloop.survival, context),
            ranksSection(evaloop, context),
            lossesSection(evaloop, context),
            judgesSection(evaloop.judges, context),
            attacksSection(evaloop.attacks, context),
            failuresSection(endings, context),
            tasksSection(matrices, lasted, context),
            besidePaper([publishedPlaces(evaloop.standings, context)]),
            ...(rows.length === 0 ? [] : [aslMethod]),
          ],
          rows,
          context,
        ),
        loopMeanings,
      ),
    boards: (context) => [...terminalBoards(rows, context), ...judgeTables(evaloop.judges, context)],
  };
}
