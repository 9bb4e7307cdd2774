/** RobuNFR in a report: effects of requirements, versions and workflows on each model's code. */
import { withMeanings } from '../../../analysis/report/meanings/glossary.ts';
import { requirementMeanings } from './meanings.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { besidePaper } from '../../../analysis/report/beside-paper.ts';
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext, StudyReport } from '../../../analysis/report/study-report.ts';
import { brokenPart } from './broken-tasks.ts';
import { collectRobunfr, type RobunfrReport } from './data.ts';
import { failuresTable } from './failures.ts';
import { groupsBy } from './groups.ts';
import { historyNote, historyTable } from './history.ts';
import { requirementsMethod } from './method.ts';
import { publishedPart } from './published/tables.ts';
import { studyPart } from './study-part.ts';
import { requirementCounts, tasksSection } from './task-grids.ts';
import { updatePart, verdictsPart } from './update-part.ts';
import { valuesBoard } from './values.ts';
import { verdictsBoard } from './verdicts.ts';
import { worseVersions } from './worse-versions.ts';

export async function robunfrReport(database: RunDatabase): Promise<StudyReport> {
  const robunfr = await collectRobunfr(database);
  const { summaries, regressions } = robunfr;
  const models = summaries.map(({ model }) => model);
  const counts = await requirementCounts(database);
  return {
    page: { name: 'requirements', title: 'Requirements', over: 'RobuNFR' },
    document: () => Promise.resolve({ robunfr }),
    outcome: { robunfr: { summaries, regressions } },
    worse: worseVersions(regressions),
    models,
    sections: (context) =>
      withMeanings(
        summaries.length === 0 ? [] : [requirementsPart(robunfr, context, tasksSection(counts, models, context))],
        requirementMeanings,
      ),
    boards: (context) => [
      ...studiesOf(robunfr).map((rows) => valuesBoard(rows, context)),
      ...pairsOf(robunfr).map((rows) => verdictsBoard(rows)),
    ],
  };
}

/** @param tasks the matrix of tasks and models */
export function requirementsPart(
  report: RobunfrReport,
  context: ReportContext,
  tasks: Section = section(undefined, []),
): Section {
  const { history, failures, broken, updates } = report;
  const failed = failuresTable(failures, context);
  const parts = [
    ...studiesOf(report).map((rows) => studyPart(rows, report, context)),
    ...pairsOf(report).map((rows) => verdictsPart(rows, context)),
    ...updates.map((update) => updatePart(update, context)),
    section('Verdicts over runs', history.length === 0 ? [] : [note(historyNote), historyTable(history, context)]),
    section(
      'Failures with a requirement',
      failed.rows.length === 0 ? [] : [failed, brokenPart(broken, context.severalRuns)],
    ),
    tasks,
    besidePaper([publishedPart(report)]),
    requirementsMethod,
  ];
  return section(undefined, parts, { id: 'requirements' });
}

const studiesOf = ({ summaries }: RobunfrReport) => groupsBy(summaries, ({ run, study }) => [run, study]);

const pairsOf = ({ regressions }: RobunfrReport) =>
  groupsBy(regressions, ({ run, study, old, now }) => [run, study, old, now]);
