/** The report as Markdown: the tables and the method, for a pull request or a terminal. */
import { boardName, type LeaderboardRow } from '../leaderboard.ts';
import { chainMarkdown } from './chain-markdown.ts';
import { costTable } from './cost-table.ts';
import { dataTableText } from './data-table-text.ts';
import type { ReportData, ReportRun } from './data.ts';
import { aslInterval, aslText, countText, levelText, missing, shareInterval, shareText, timeText, usdText } from './format.ts';
import { aslMethod, simulatedMeaning } from './method.ts';
import { loopRanksMarkdown } from './loop-ranks-markdown.ts';
import { loopSurvivalMarkdown } from './loop-survival-markdown.ts';
import { promptseMarkdown } from './promptse-markdown.ts';
import { robunfrMarkdown } from './robunfr-markdown.ts';
import { specificityMarkdown } from './specificity-markdown.ts';

export function renderMarkdown(data: ReportData): string {
  const boards = [...Map.groupBy(data.leaderboard, boardName).values()];
  const sections = [
    ...data.runs.map(runText),
    ...boards.map(boardText),
    ...loopRanksMarkdown(data.evaloop, tableText, escapeMarkdown),
    standingsText(data),
    ...loopSurvivalMarkdown(data.evaloop.survival, tableText, escapeMarkdown),
    attacksText(data),
    promptseMarkdown(data.promptse, tableText, escapeMarkdown),
    robunfrMarkdown(data.robunfr, tableText, escapeMarkdown, data.runs.length > 1),
    specificityMarkdown(data.specificity, tableText, escapeMarkdown),
    ...chainMarkdown(data.chains, tableText, escapeMarkdown),
    endingsText(data),
    callsText(data),
    ['## How to read this', ...aslMethod.map(escapeMarkdown)].join('\n\n'),
    ...data.runs.map(provenanceText),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function runText(run: ReportRun): string {
  const finished = run.finishedAt === null ? `last sealed ${timeText(run.updatedAt)}` : `finished ${timeText(run.finishedAt)}`;
  const partial =
    `**Partial:** ${countText(run.missing)} of ${countText(run.planned)} cells are missing; every number is over the sealed ones only. ${escapeMarkdown(run.stateDetail ?? '')}`.trim();
  const simulated = `**Simulated:** ${simulatedMeaning} Here: ${run.simulatedModels.map(escapeMarkdown).join(', ')}.`;
  return [
    `# Run ${escapeMarkdown(run.run)}`,
    `${run.state}; started ${timeText(run.createdAt)}, ${finished}; ${countText(run.sealed)} of ${countText(run.planned)} cells sealed.`,
    ...(run.missing === 0 ? [] : [partial]),
    ...(run.simulatedModels.length === 0 ? [] : [simulated]),
  ].join('\n\n');
}

function boardText(rows: readonly LeaderboardRow[]): string {
  const [first] = rows as readonly [LeaderboardRow];
  const judge = first.judge === null ? 'no judge' : `judge ${first.judge}`;
  const about = `EVALOOP on ${first.benchmark}, ${first.language}, setting ${first.setting}; up to ${first.maxLoops} loops; ${judge}; ${levelText(first.level)} intervals.`;
  const heads = [
    'Model',
    'ASL',
    'interval',
    'ASL, s = 1',
    'interval',
    'pass@1',
    'interval',
    'ceiling',
    'drop',
    'interval',
    'n',
    'excluded',
    'unscored',
  ];
  return [`## Study ${escapeMarkdown(first.study)}`, escapeMarkdown(about), tableText(heads, rows.map(boardCells))].join('\n\n');
}

const boardCells = (row: LeaderboardRow): string[] => [
  `${row.model}${row.simulated ? ' (simulated)' : ''}`,
  aslText(row.asl),
  aslInterval(row.asl),
  aslText(row.aslUnweighted),
  aslInterval(row.aslUnweighted),
  shareText(row.passAt1?.value ?? null),
  shareInterval(row.passAt1),
  shareText(row.ceiling),
  shareText(row.absoluteDrop?.value ?? null),
  shareInterval(row.absoluteDrop),
  countText(row.n),
  countText(row.nExcluded),
  countText(row.nUnscored),
];

function standingsText({ evaloop: { standings } }: ReportData): string {
  const placed = standings.filter(({ place }) => place !== null);
  if (placed.length === 0) return '';
  const rows = placed.map(({ study, model, asl, place, interval, among }) => [
    study,
    model,
    asl.toFixed(3),
    `${place} of ${among + 1}`,
    interval === null ? missing : `${interval.lo} – ${interval.hi}`,
  ]);
  return ['## Among the published models', tableText(['Study', 'Model', 'ASL', 'place', 'interval'], rows)].join('\n\n');
}

function attacksText({ evaloop: { attacks } }: ReportData): string {
  if (attacks.length === 0) return '';
  const number = (value: unknown): string => (typeof value === 'number' ? String(Number(value.toPrecision(3))) : missing);
  const columns = ['pass_at_1_original', 'pass_at_1', 'broken', 'mended', 'p_adjusted', 'asl_unweighted_original', 'asl_unweighted', 'n'];
  const rows = attacks.map((row) => [
    String(row['study']),
    String(row['model']),
    String(row['attack']),
    ...columns.map((column) => number(row[column])),
  ]);
  return ['## Attacks on the first prompt', tableText(['Study', 'Model', 'attack', ...columns], rows)].join('\n\n');
}

function endingsText({ endings }: ReportData): string {
  if (endings.length === 0) return '';
  const rows = endings.map((ending) => [
    ending.study,
    ending.model,
    ending.excluded ? `${ending.reason} (excluded)` : ending.reason,
    String(ending.loop),
    countText(ending.cells),
  ]);
  return ['## Failures by reason and loop', tableText(['Study', 'Model', 'reason', 'loop', 'tasks'], rows)].join('\n\n');
}

function callsText({ calls, costs, runs }: ReportData): string {
  if (calls.length === 0) return '';
  const heads = [
    'Model',
    'role',
    'answered',
    'failed',
    'lost',
    'reused',
    'input tokens',
    'output tokens',
    'reported',
    'estimated',
    'unpriced',
  ];
  const rows = calls.map((row) => [
    row.model,
    row.role,
    ...[row.answered, row.failed, row.lost, row.reused, row.inputTokens, row.outputTokens].map(countText),
    usdText(row.reportedUsd),
    usdText(row.estimatedUsd),
    countText(row.unpriced),
  ]);
  const paid = dataTableText(costTable(costs, runs.length > 1), tableText, escapeMarkdown);
  return ['## Calls and spend', tableText(heads, rows), ...doubts(calls), ...(paid === '' ? [] : [paid])].join('\n\n');
}

const doubts = (calls: ReportData['calls']): string[] =>
  calls.flatMap(({ model, otherModels, disbelieved, logprobFaults }) => [
    ...(otherModels.length === 0 ? [] : [escapeMarkdown(`${model} was asked for, and ${otherModels.join(', ')} answered.`)]),
    ...(disbelieved === 0 ? [] : [escapeMarkdown(`${disbelieved} calls of ${model} reported tokens that cannot be.`)]),
    ...(logprobFaults === 0 ? [] : [escapeMarkdown(`${logprobFaults} answers of ${model} have log-probabilities that cannot be.`)]),
  ]);

const provenanceText = (run: ReportRun): string =>
  [
    `## Provenance of ${escapeMarkdown(run.run)}`,
    tableText(
      ['what', 'value'],
      run.provenance.map(({ name, value }) => [name, value === '' ? missing : value]),
    ),
  ].join('\n\n');

function tableText(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Text that Markdown shows as it is: no markup, no HTML, no line breaks, no control or direction characters. */
const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replaceAll(/[\\`*_[\]<>|#~]/g, '\\$&')
    .replaceAll('&', '&amp;');
