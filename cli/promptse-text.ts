/** PromptSE's board in the terminal: one table per study and method. */
import { type PromptseBoardRow, promptseBoardName } from '../analysis/promptse-board.ts';
import { aslText, decimals, missing, shareText } from '../analysis/report/format.ts';
import type { Estimate } from '../analysis/estimate.ts';
import { boardTable } from './board-table.ts';
import { plain } from './terminal.ts';

const methodName = { full: 'PromptSE (SoftExec)', light: 'PromptSELight (pass rates)' } as const;

export const promptseText = (rows: readonly PromptseBoardRow[]): string =>
  [...Map.groupBy(rows, promptseBoardName).values()].map(groupText).join('\n\n');

function groupText(rows: readonly PromptseBoardRow[]): string {
  const first = rows[0] as PromptseBoardRow;
  const level = `${Number((first.level * 100).toFixed(2))} %`;
  const samples = Math.max(0, ...rows.map((row) => row.samples ?? 0));
  const title = `${methodName[first.method]} · study ${first.study} · ${first.benchmark} · ${samples} ${samples === 1 ? 'sample' : 'samples'} a prompt · intervals ${level} · under each E(d) its noise floor`;
  const head = [
    'model',
    'pass@1',
    'E(0.1)',
    'E(0.2)',
    'E(0.3)',
    'AUC-E',
    'interval',
    'floor',
    'excess',
    'interval',
    'normalised',
    'n',
    'left out',
  ];
  const notes = [
    ...rows.flatMap((row) => (row.reason === null ? [] : [`no AUC-E for ${plain(row.model)}: ${plain(row.reason)}`])),
    ...(rows.some((row) => row.simulated) ? ['* simulated model: says nothing about any real one'] : []),
  ];
  return [title, boardTable(head, rows.map(cells)), ...notes].join('\n');
}

const cells = (row: PromptseBoardRow): string[] => [
  `${plain(row.model)}${row.simulated ? ' *' : ''}`,
  shareText(row.passAt1?.value ?? null),
  ...row.elasticity.map((estimate, index) => `${aslText(estimate)}\n${row.floor[index]?.value.toFixed(3) ?? missing}`),
  aslText(row.aucE),
  range(row.aucE),
  aslText(row.aucEFloor),
  aslText(row.aucEExcess),
  range(row.aucEExcess),
  aslText(row.aucENormalized),
  String(row.n),
  String(row.nExcluded),
];

const range = (estimate: Estimate | null): string =>
  estimate?.interval == null ? missing : `${decimals(estimate.interval.lo)} – ${decimals(estimate.interval.hi)}`;
