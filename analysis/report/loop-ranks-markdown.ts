/** The report's rankings by loops as Markdown: ASL against pass@1, groups, other settings, greedy and sampled, another ranking. */
import type { ExternalComparison } from '../external-ranking.ts';
import type { LoopQuestions } from '../loop-questions.ts';
import type { LoopRanks } from '../loop-ranks.ts';
import type { GreedyAndSampled, LoopReliability } from '../loop-reliability.ts';
import { intervalText, missing, shareText, three } from './format.ts';
import { rankChangeLines } from './rank-change-lines.ts';

export type TableText = (heads: readonly string[], rows: readonly (readonly string[])[]) => string;

export const loopRanksMarkdown = (
  { ranks, reliability, sampled, external }: LoopQuestions,
  table: TableText,
  plain: (text: string) => string,
): string[] => [
  ...ranks.map((one) => ranksText(one, table, plain)),
  ...ranks.filter(({ groups }) => groups.length > 0).map((one) => groupsText(one, table, plain)),
  ...reliability.map((one) => reliabilityText(one, table, plain)),
  ...(sampled.length === 0 ? [] : [sampledText(sampled, table)]),
  ...external.map((one) => externalText(one, table, plain)),
];

export const pText = (p: number | null): string => (p === null ? missing : p.toPrecision(2));
const place = (value: number): string => String(Number(value.toFixed(2)));

function ranksText(ranks: LoopRanks, table: TableText, plain: (text: string) => string): string {
  const { study, tasks, models } = ranks;
  const places = models.map((row) => [
    row.model,
    place(row.aslPlace),
    intervalText(row.aslPlaceInterval, place),
    row.aheadOfNext === null ? missing : shareText(row.aheadOfNext),
    place(row.passPlace),
    intervalText(row.passPlaceInterval, place),
    three(row.aslUnweighted),
    intervalText(row.aslInterval, three),
    shareText(row.passAt1),
    intervalText(row.passAt1Interval, shareText),
  ]);
  return [
    `## Study ${plain(study)}: from pass@1 to ASL`,
    `${tasks} tasks that count under every model; every s = 1. A place’s 95 % interval: from one more than the models surely ahead of it to all but those surely behind it; the other ranges are of draws of tasks, those of Spearman and Kendall a jackknife over models.`,
    table(['ASL against pass@1', 'value', 'range'], rankChangeLines(ranks)),
    table(
      ['Model', 'place by ASL', 'interval', 'ahead of next', 'place by pass@1', 'interval', 'ASL, s = 1', 'interval', 'pass@1', 'interval'],
      places,
    ),
  ].join('\n\n');
}

const groupsText = ({ study, groups }: LoopRanks, table: TableText, plain: (text: string) => string): string =>
  [
    `## Study ${plain(study)}: groups of models`,
    table(
      ['by', 'group', 'models', 'ASL, s = 1', 'interval', 'drop', 'interval', 'rise', 'range'],
      groups.map(({ by, group, models, asl, drop, rise }) => [
        by,
        group,
        String(models),
        three(asl?.value),
        intervalText(asl?.interval ?? null, three),
        shareText(drop?.value ?? null),
        intervalText(drop?.interval ?? null, shareText),
        rise?.value.toFixed(1) ?? missing,
        intervalText(rise?.interval ?? null, place),
      ]),
    ),
  ].join('\n\n');

function reliabilityText(
  { study, over, settings, judged, reliability }: LoopReliability,
  table: TableText,
  plain: (text: string) => string,
): string {
  const { models, leftOut, spearman, interval, bySetting, kendallW, kendallWInterval, icc, iccIntervals } = reliability;
  const rows = models.map((row) => [row.model, place(row.baselinePlace), ...row.places.map(place), place(row.averagePlace)]);
  const out = leftOut.length === 0 ? '' : ` Not ranked, without a score somewhere: ${leftOut.join(', ')}.`;
  return [
    `## Study ${plain(study)}: places under other ${over}`,
    plain(
      `Places by ASL${judged ? '' : ', every s = 1'}. Baseline against average: Spearman ${three(spearman)} (${intervalText(interval, three)}); Kendall's W ${three(kendallW)} (${intervalText(kendallWInterval, three)}); ICC(2,1) ${three(icc?.agreement)} (${intervalText(iccIntervals?.agreement ?? null, three)}), ICC(3,1) ${three(icc?.consistency)} (${intervalText(iccIntervals?.consistency ?? null, three)}); ${models.length} models.${out}`,
    ),
    table(
      ['Model', 'baseline', ...settings, 'average'],
      [
        ...rows,
        ['Spearman', '', ...bySetting.map((one) => three(one.spearman)), three(spearman)],
        ['interval', '', ...bySetting.map((one) => intervalText(one.interval, three)), intervalText(interval, three)],
      ],
    ),
  ].join('\n\n');
}

function sampledText(all: readonly GreedyAndSampled[], table: TableText): string {
  const rows = all.map((row) => [
    row.study,
    row.model,
    three(row.greedy),
    intervalText(row.greedyInterval, three),
    three(row.sampled),
    intervalText(row.sampledInterval, three),
    three(row.difference),
    intervalText(row.differenceInterval, three),
    pText(row.p),
    row.greedySustained.join(' '),
    row.sampledSustained.join(' '),
    String(row.tasks),
  ]);
  const heads = [
    'Study',
    'Model',
    'greedy',
    'interval',
    'sampled',
    'interval',
    'difference',
    'interval',
    'p',
    'greedy, 0 to M loops',
    'sampled, 0 to M loops',
    'tasks',
  ];
  return ['## Greedy and sampled runs: mean of sustained loops', table(heads, rows)].join('\n\n');
}

const nearness = { same: 'same place', within_2: 'within 2', apart: '3 or more apart' } as const;

function externalText({ study, name, comparison }: ExternalComparison, table: TableText, plain: (text: string) => string): string {
  const { models, spearman, kendall, intervals } = comparison;
  const rows = models.map((row) => [row.model, place(row.place), place(row.otherPlace), nearness[row.nearness]]);
  return [
    `## Study ${plain(study)} beside ${plain(name)}`,
    `Spearman ${three(spearman.statistic)} (${intervalText(intervals.spearman, three)}), p ${pText(spearman.p)}; Kendall ${three(kendall.statistic)} (${intervalText(intervals.kendall, three)}), p ${pText(kendall.p)}; intervals over models.`,
    table(['Model', 'place here', 'place there', 'distance'], rows),
  ].join('\n\n');
}
