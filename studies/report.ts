/** A report over runs: the parts that every run has, and those of each kind of study. */
import type { RunDatabase } from '../analysis/database.ts';
import type { ExternalRanking } from '../analysis/external-ranking.ts';
import { studyRepeatsNotes } from '../analysis/report/notes/repeated-tasks.ts';
import { collectRunsReport, type Report } from '../analysis/report/report.ts';
import { acrossRuns } from './across/across-runs.ts';
import { currentCards } from './cards.ts';
import { runCoverage } from './coverage.ts';
import { allResults, resultsOfKind } from './results.ts';
import { currentVarianceParts } from './variance-parts.ts';

/** @param ranking an external ranking of the models to compare with */
export async function collectReport(database: RunDatabase, ranking: ExternalRanking | null = null): Promise<Report> {
  const runs = await collectRunsReport(database, runCoverage(database));
  const studies = await Promise.all(allResults.map((results) => results.report(database, ranking)));
  const worse = studies.flatMap((study) => study.worse ?? []);
  const cards = await currentCards(database, worse);
  const noted = studies.map((study, place) => {
    const repeated = (cards.repeated ?? []).filter(({ kind }) => resultsOfKind(kind) === allResults[place]);
    return { ...study, notes: studyRepeatsNotes(repeated) };
  });
  return {
    ...{ ...runs, studies: noted, across: await acrossRuns(database, runs.calls) },
    ...{ variance: await currentVarianceParts(database), cards },
  };
}
