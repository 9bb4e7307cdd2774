/** The end of a run in the terminal: its main tables and the path of its report. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../../domain/counted.ts';
import { isWritable } from '../../../activities/storage/files/is-writable.ts';
import type { Progress } from '../../../activities/storage/ledger/ledger-counts.ts';
import type { RunHome } from '../../../activities/storage/home/run-home.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { notAskedText, spendText } from '../../follow/progress-line.ts';
import { cellCounts } from '../../follow/share-done.ts';
import { oneScreen } from '../one-screen.ts';
import { writeReport } from '../report-file.ts';
import { tellIfLong } from '../tell-if-long.ts';
import { plain, type Terminal } from '../terminal.ts';
import { makeResults } from './make-results.ts';

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
  const file = join(folder, 'report.html');
  const writable = isWritable(folder);
  const progress = await progressOf(home);
  const order = { tables: await home.tables(), page: writable };
  const made = await tellIfLong(terminal, 'writing the report', () => makeResults(order, progress.answered));
  const { page, boards, ceiling, ceilings, references, outcomes } = made;
  if (page !== null) await writeReport(home, file, page);
  else terminal.note(`${folder} is read-only: report.html was not updated; write a new one with: report --out FILE`);
  terminal.out(totalText(manifest, progress));
  terminal.out(boards.length === 0 ? noBoardsText(manifest) : boardsText(boards, shownAs));
  for (const line of [ceiling, ...references]) if (line !== null) terminal.out(plain(line));
  const shown = page !== null || existsSync(file) ? file : null;
  if (shown !== null) terminal.out(`report  ${shown}`);
  const { runId: run, state, stateDetail: detail, missingTables = [] } = manifest;
  terminal.document(Object.assign({ run, state, detail, missingTables, report: shown, ceilings }, ...outcomes));
}

const noBoardsText = ({ missingTables }: Manifest): string =>
  missingTables === undefined
    ? 'no model has a finished result yet, so there is no table of results'
    : 'the main tables are among those that are missing';

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
    ...[notAskedText(progress)].filter(Boolean),
    ...(progress.failedCalls === 0 ? [] : [counted(progress.failedCalls, 'failed call')]),
    `spent ${spendText(progress)}`,
  ].join(' · ');
}
