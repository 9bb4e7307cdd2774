/** What a run came to, in the terminal: the leaderboard, and where the report lies. */
import { join } from 'node:path';
import { chainTables } from '../analysis/chain-tables.ts';
import { openRun } from '../analysis/database.ts';
import { type LeaderboardRow, leaderboard } from '../analysis/leaderboard.ts';
import { promptseBoard } from '../analysis/promptse-board.ts';
import { currentSpecificityTables } from '../analysis/specificity-tables.ts';
import { robunfrBoard } from '../analysis/robunfr-board.ts';
import { currentRobunfrTables } from '../analysis/robunfr-tables.ts';
import { aslInterval, aslText, shareInterval, shareText } from '../analysis/report/format.ts';
import { collectReportData } from '../analysis/report/data.ts';
import { collectExamples } from '../analysis/report/examples.ts';
import { renderReport } from '../analysis/report/render.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { boardTable } from './board-table.ts';
import { chainText } from './chain-text.ts';
import { promptseText } from './promptse-text.ts';
import { writeReport } from './report-file.ts';
import { robunfrText } from './robunfr-text.ts';
import { specificityText } from './specificity-text.ts';
import { oneScreen } from './one-screen.ts';
import { plain, type Terminal } from './terminal.ts';

/** @param all every line of every table, not what fits on a screen */
export async function showResults(folder: string, manifest: Manifest, terminal: Terminal, all: boolean): Promise<void> {
  const database = await openRun(folder);
  try {
    const rows = await leaderboard(database);
    const stability = await promptseBoard(database);
    const requirements = robunfrBoard(await currentRobunfrTables(database));
    const detail = await currentSpecificityTables(database);
    const chains = await chainTables(database, manifest);
    const report = join(folder, 'report.html');
    const page = await renderReport(await collectReportData(database), await collectExamples(database));
    await writeReport(folder, report, page);
    const boards = [
      ...(rows.length > 0 ? [leaderboardText(rows)] : []),
      ...(stability.length > 0 ? [promptseText(stability)] : []),
      ...(chains.chain_scores.length > 0 ? [chainText(chains.chain_scores)] : []),
      ...(requirements.summaries.length > 0 ? [robunfrText(requirements)] : []),
      ...(detail.specificity_curve.length > 0 ? [specificityText(detail)] : []),
    ];
    terminal.out(extentText(manifest));
    terminal.out(boards.length === 0 ? 'no page is finished yet, so there is no table' : boardsText(boards, all));
    terminal.out(`report  ${report}`);
    terminal.document({
      run: manifest.runId,
      state: manifest.state,
      detail: manifest.stateDetail,
      report,
      leaderboard: rows,
      promptse: stability,
      robunfr: requirements,
      specificity: detail,
      chains: chains.chain_scores,
    });
  } finally {
    database.close();
  }
}

function boardsText(boards: readonly string[], all: boolean): string {
  const { lines, left } = all ? { lines: boards, left: 0 } : oneScreen(boards);
  return [
    lines.join(all ? '\n\n' : '\n'),
    ...(left === 0 ? [] : [`and ${left} more lines: --all shows them, the report has them too`]),
  ].join('\n');
}

function extentText({ runId, state, spec, plan }: Manifest): string {
  const models = spec.models.filter(({ study }) => study).length;
  const cells = plan.reduce((sum, revision) => sum + revision.cells, 0);
  const counted = (count: number, one: string, many: string): string => `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
  const extent = [counted(spec.studies.length, 'study', 'studies'), counted(models, 'model', 'models'), counted(cells, 'cell', 'cells')];
  return `run "${runId}": ${state} · ${extent.join(' · ')}`;
}

/** One table per study and setting. */
function leaderboardText(rows: readonly LeaderboardRow[]): string {
  const groups = Map.groupBy(rows, ({ study, setting }) => JSON.stringify([study, setting]));
  return [...groups.values()].map(groupText).join('\n\n');
}

function groupText(rows: readonly LeaderboardRow[]): string {
  const first = rows[0] as LeaderboardRow;
  const level = `${Number((first.level * 100).toFixed(2))} %`;
  const judge = first.judge === null ? 'no judge: ASL without similarities' : `judge ${first.judge}`;
  const title = `EVALOOP · study ${first.study} · ${first.benchmark} · M = ${first.maxLoops} · ${judge} · intervals ${level}`;
  const head = ['model', 'ASL', 'interval', 'ASL (s = 1)', 'interval', 'pass@1', 'interval', 'drop', 'n', 'left out', 'ceiling'];
  const notes = [
    ...rows
      .filter((row) => row.asl === null && row.reason !== null && row.judge !== null)
      .map((row) => `no ASL for ${plain(row.model)}: ${row.reason}`),
    ...(rows.some((row) => row.simulated) ? ['* simulated model: says nothing about any real one'] : []),
  ];
  return [title, boardTable(head, rows.map(cells)), ...notes].join('\n');
}

const cells = (row: LeaderboardRow): string[] => [
  `${plain(row.model)}${row.simulated ? ' *' : ''}`,
  aslText(row.asl),
  aslInterval(row.asl),
  aslText(row.aslUnweighted),
  aslInterval(row.aslUnweighted),
  shareText(row.passAt1?.value ?? null),
  shareInterval(row.passAt1),
  shareText(row.absoluteDrop?.value ?? null),
  String(row.n),
  String(row.nExcluded),
  shareText(row.ceiling),
];
