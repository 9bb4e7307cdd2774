/** A report over runs: the parts that every run has, and those of each kind of study. */
import type { RunDatabase } from '../analysis/database.ts';
import type { ExternalRanking } from '../analysis/external-ranking.ts';
import { studyRepeatsNotes } from '../analysis/report/notes/repeated-tasks.ts';
import { collectRunsReport, type Report } from '../analysis/report/report.ts';
import type { StudyReport } from '../analysis/report/study-report.ts';
import { unlessMissing } from '../domain/missing-tables/unless-missing.ts';
import { acrossRuns } from './across/across-runs.ts';
import { cardMetrics, currentCards } from './cards.ts';
import { runCoverage } from './coverage.ts';
import { allResults, resultsOfKind } from './results.ts';
import { currentVarianceParts } from './variance-parts.ts';

/** @param ranking an external ranking of the models to compare with */
export async function collectReport(database: RunDatabase, ranking: ExternalRanking | null = null): Promise<Report> {
  const runs = await collectRunsReport(database, runCoverage(database));
  const studies = await Promise.all(
    allResults.map((results) =>
      unlessMissing(
        database,
        () => results.report(database, ranking),
        () => noReport,
      ),
    ),
  );
  const worse = studies.flatMap((study) => study.worse ?? []);
  const noCards = { cards: [], card_agreement: [], sentences: [], worse, metrics: cardMetrics };
  const cards = await unlessMissing(
    database,
    () => currentCards(database, worse),
    () => noCards,
  );
  const noted = studies.map((study, place) => {
    const repeated = (cards.repeated ?? []).filter(({ kind }) => resultsOfKind(kind) === allResults[place]);
    return { ...study, notes: studyRepeatsNotes(repeated) };
  });
  const across = await unlessMissing(
    database,
    () => acrossRuns(database, runs.calls),
    () => null,
  );
  const variance = await unlessMissing(
    database,
    () => currentVarianceParts(database),
    () => [],
  );
  return {
    ...{ ...runs, studies: noted, across },
    ...{ variance, cards },
  };
}

/** A page without parts is not shown; the report says which tables are missing. */
const noReport: StudyReport = {
  page: { name: 'missing', title: 'Missing' },
  document: async () => ({}),
  outcome: {},
  models: [],
  sections: () => [],
  boards: () => [],
};
