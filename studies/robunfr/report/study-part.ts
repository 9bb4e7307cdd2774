/** One RobuNFR study in a report: effects of each requirement on each model's code. */
import { note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { NfrRow } from '../results/board.ts';
import { changesTable } from './changes.ts';
import type { RobunfrReport } from './data.ts';
import type { Group } from './groups.ts';
import { spreadsTable } from './spreads.ts';
import { stdevPartsTable } from './stdev-parts.ts';
import { requirementTradeOffs } from './trade-offs.ts';
import { measuredOf, unmeasuredText, valuesTable } from './values.ts';
import { workflowTables } from './workflows.ts';

/** @param rows of one study */
export function studyPart(rows: Group<NfrRow>, report: RobunfrReport, context: ReportContext): Section {
  const [{ run, study, benchmark }] = rows;
  const isOwn = (row: { readonly run: string; readonly study: string }): boolean =>
    row.run === run && row.study === study;
  const measured = measuredOf(rows);
  const about = `On ${benchmark}${context.severalRuns ? `, run ${run}` : ''}; 95 % intervals. ${unmeasuredText(rows)}`;
  return section(`Study ${study}: requirements`, [
    note(about.trim()),
    section('Change from Function-Only, in percent', [changesTable(measured, context)]),
    requirementTradeOffs(measured, context),
    section('Range of values over the phrasings', [spreadsTable(measured, report.phrasings.filter(isOwn), context)]),
    stdevPartsTable(measured, context),
    ...workflowTables(report.workflows.filter(isOwn)),
    valuesTable(rows, context),
  ]);
}
