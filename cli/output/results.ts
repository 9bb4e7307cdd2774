/** The end of a run in the terminal: its main tables and the path of its report. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../domain/counted.ts';
import { isWritable } from '../../activities/storage/files/is-writable.ts';
import { openRun } from '../../analysis/database.ts';
import { ceilingLine } from '../../analysis/report/ceilings-table.ts';
import { contextOf } from '../../analysis/report/context.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { tableLines } from '../../analysis/report/text/terminal.ts';
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { collectReport } from '../../studies/report.ts';
import { spendText } from '../follow/progress-line.ts';
import { cellCounts } from '../follow/share-done.ts';
import { oneScreen } from './one-screen.ts';
import { writeReport } from './report-file.ts';
import { plain, type Terminal } from './terminal.ts';

interface Shown {
  /** Show all lines of all tables, not just what fits on a screen. */
  readonly all: boolean;
  /** Number of lines that are printed below the results. */
  readonly below: number;
}

/** The total first, then the tables and the path of the report. */
export async function showResults(
  home: RunHome,
  manifest: Manifest,
  terminal: Terminal,
  shownAs: Shown,
): Promise<void> {
  const { folder } = home;
  const database = await openRun(await home.tables());
  try {
    const report = await collectReport(database);
    const context = contextOf(report);
    const tables = report.studies.flatMap((study) => study.boards(context)).filter(({ rows }) => rows.length > 0);
    const file = join(folder, 'report.html');
    const writable = isWritable(folder);
    if (writable) await writeReport(home, file, await renderReport(report, await collectExamples(database)));
    else terminal.note(`${folder} is read-only: report.html was not updated; write a new one with: report --out FILE`);
    const shown = writable || existsSync(file) ? file : null;
    const boards = tables.map((table) => tableLines(table, plain));
    terminal.out(totalText(manifest, await progressOf(home)));
    terminal.out(
      boards.length === 0 ? 'no results are finished yet, so there are no tables' : boardsText(boards, shownAs),
    );
    const ceiling = ceilingLine(report.ceilings);
    if (ceiling !== null) terminal.out(plain(ceiling));
    if (shown !== null) terminal.out(`report  ${shown}`);
    const { runId: run, state, stateDetail: detail } = manifest;
    const outcomes = report.studies.map(({ outcome }) => outcome);
    const { ceilings } = report;
    terminal.document(Object.assign({ run, state, detail, report: shown, ceilings }, ...outcomes));
  } finally {
    database.close();
  }
}

/** Lines for tables; with the total, the number of lines left out and the path of the report they make twenty. */
const tableRoom = 17;

function boardsText(boards: readonly string[], { all, below }: Shown): string {
  const { lines, left } = all ? { lines: boards, left: 0 } : oneScreen(boards, tableRoom - below);
  return [
    lines.join(all ? '\n\n' : '\n'),
    ...(left === 0 ? [] : [`and ${counted(left, 'more line')}: see the report, or add --all`]),
  ].join('\n');
}

async function progressOf(home: RunHome): Promise<Progress> {
  const ledger = await home.openAnyLedger();
  try {
    return await ledger.progress();
  } finally {
    await ledger.close();
  }
}

/** @param progress as the ledger counts it: the plan lists the cells of an extended run again */
function totalText({ runId, state, spec }: Manifest, progress: Progress): string {
  const models = spec.models.filter(({ study }) => study).length;
  const { cells, done } = cellCounts(progress);
  const ended = done === cells ? counted(cells, 'cell') : `${done} of ${counted(cells, 'cell')}`;
  return [
    `run "${runId}": ${state}`,
    counted(spec.studies.length, 'study', 'studies'),
    counted(models, 'model'),
    ended,
    counted(progress.answered, 'answer'),
    ...(progress.failedCalls === 0 ? [] : [counted(progress.failedCalls, 'failed call')]),
    `spent ${spendText(progress)}`,
  ].join(' · ');
}
