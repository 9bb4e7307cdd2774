/** What the end of a run shows of its tables. */
import { partlyJudgedLine, referencesLine } from '../../../analysis/report/notes/excluded.ts';
import { openRun } from '../../../analysis/database.ts';
import type { Ceiling } from '../../../analysis/report/ceilings.ts';
import { ceilingLine } from '../../../analysis/report/ceilings-table.ts';
import { contextOf } from '../../../analysis/report/context.ts';
import { collectExamples } from '../../../analysis/report/examples.ts';
import { renderReport } from '../../../analysis/report/html/page.ts';
import { tableLines } from '../../../analysis/report/text/terminal.ts';
import type { RunTables } from '../../../analysis/run-folder.ts';
import { collectReport } from '../../../studies/report.ts';
import { plain } from '../terminal.ts';

export interface ResultsOrder {
  readonly tables: RunTables;
  /** Whether the report is wanted as a page, too. */
  readonly page: boolean;
}

export interface MadeResults {
  /** The report as HTML; null where it is not wanted. */
  readonly page: string | null;
  /** The main tables that have rows, as text. */
  readonly boards: readonly string[];
  /** Null where no reference fails. */
  readonly ceiling: string | null;
  readonly ceilings: readonly Ceiling[];
  /** Tasks whose reference gives nothing to judge answers with, and those of which only some cases count. */
  readonly references: readonly string[];
  /** Of each study, for the JSON document. */
  readonly outcomes: readonly object[];
}

export async function madeResults({ tables, page }: ResultsOrder): Promise<MadeResults> {
  const database = await openRun(tables);
  try {
    const report = await collectReport(database);
    const context = contextOf(report);
    const boards = report.studies.flatMap((study) => study.boards(context)).filter(({ rows }) => rows.length > 0);
    return {
      page: page ? await renderReport(report, await collectExamples(database)) : null,
      boards: boards.map((board) => tableLines(board, plain)),
      ceiling: ceilingLine(report.ceilings),
      ceilings: report.ceilings,
      references: [
        await referencesLine(database, report.excluded),
        await partlyJudgedLine(database, report.ceilings),
      ].filter((line) => line !== null),
      outcomes: report.studies.map(({ outcome }) => outcome),
    };
  } finally {
    database.close();
  }
}
