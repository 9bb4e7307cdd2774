/** RQ2 as tables. */
import type { DeltaSpread, GroupEffect } from '../../results/questions/delta-effect.ts';
import type { GroupPermutation } from '../../../../domain/statistics/tests/group-permutation.ts';
import { sizeGroups } from '../../../../domain/metrics/model-groups.ts';
import type { GridCell, StudyQuestions } from '../../results/questions/study-questions.ts';
import type { DataCell, DataTable } from '../../../../analysis/report/part.ts';
import { missing } from '../../../../analysis/report/format.ts';
import {
  count,
  estimatedShare,
  number,
  probability,
  range,
  shadeAmong,
  testCells,
  notTestedText,
  withRange,
} from '../../../../analysis/report/cells.ts';

const units = {
  task: 'one value per model, task and distance',
  distance: 'one value per model and distance, averaged over tasks',
  emotion: 'one value per model, emotion and distance, averaged over tasks',
} as const;

export const distanceTables = ({ deltas, settings }: StudyQuestions): DataTable[] => [
  {
    title: '|Δ pass| by distance',
    note:
      'Δ pass is the mean pass rate of the variants minus that of the original; ' +
      `${units[settings.deltaUnit]}. Falls: share of values below 0. ${spreadIntervals(settings.deltaUnit)}`,
    words: 1,
    heads: ['Distance', 'n', ...spreadHeads],
    rows: deltas.distances.map((spread) => [String(spread.distance), ...spreadCells(spread)]),
  },
  ...[deltas.size, deltas.family].flatMap((effect) =>
    effect === null ? [] : effectTables(effect, settings.deltaUnit),
  ),
  ...interactionTable(deltas.interaction),
  ...(['full', 'light'] as const).flatMap((method) => gridTable(deltas.grid.filter((cell) => cell.method === method))),
];

const spreadHeads = ['Mean |Δ|', 'Variance', 'Falls'];

const drawn = (unit: StudyQuestions['settings']['deltaUnit']): string =>
  unit === 'task' ? 'tasks, for these models' : 'models';

const spreadIntervals = (unit: StudyQuestions['settings']['deltaUnit']): string =>
  `95 % intervals over ${drawn(unit)}: Gaffke’s bounds; for the variance, of squared deviations.`;

const spreadCells = ({ n, meanAbsolute, variance, shareNegative, intervals }: DeltaSpread) => [
  ...[count(n), withRange(meanAbsolute, intervals.meanAbsolute), withRange(variance, intervals.variance, 4)],
  estimatedShare({ value: shareNegative, interval: intervals.shareNegative }),
];

function effectTables(effect: GroupEffect, unit: StudyQuestions['settings']['deltaUnit']): DataTable[] {
  const { by, spreads, kruskalWallis: h, pairs } = effect;
  const tested =
    h.statistic === null
      ? `Not tested: ${h.reason}.`
      : `Kruskal–Wallis over N = ${h.n}: H ${number(h.statistic).text}, p ${probability(h.p).text}, ` +
        `epsilon squared ${number(effect.epsilonSquared).text} (95 % ${range(effect.interval).text}).`;
  return [
    {
      title: `|Δ pass| by ${by}`,
      note:
        `As in the paper: ${tested} This treats every value as an independent observation, although ${by} is a ` +
        'property of models. A permutation test with each model as one observation (its mean |Δ pass|): ' +
        `${modelText(effect.models)}. ${spreadIntervals(unit)}`,
      words: 2,
      heads: [by === 'size' ? 'Size' : 'Family', 'Distance', 'n', ...spreadHeads],
      rows: spreads.map((spread) => [
        spread.group ?? '',
        spread.distance === null ? 'all' : String(spread.distance),
        ...spreadCells(spread),
      ]),
    },
    {
      title: `|Δ pass| of pairs of groups by ${by}`,
      note:
        'Mann–Whitney test on |Δ pass|, p corrected after Benjamini and Hochberg. Cliff’s delta: probability ' +
        'that a value of the first group is larger, minus probability that it is smaller; its 95 % interval is a ' +
        'jackknife. Last two columns: a permutation test with each model as one observation.',
      words: 2,
      heads: ['First group', 'Second group', 'n', 'U', 'p', 'p, corrected', 'Cliff’s delta', 'Models', 'p, models'],
      rows: pairs.map(({ groups, test: result, corrected, cliffsDelta, interval, models }) => [
        ...groups,
        count(result.n),
        { text: result.statistic === null ? missing : String(result.statistic), value: result.statistic },
        probability(result.p),
        probability(corrected),
        withRange(cliffsDelta, interval),
        count(models.n),
        models.p === null
          ? { text: `${missing} (smallest possible ${models.leastP?.toPrecision(2) ?? missing})`, value: null }
          : probability(models.p),
      ]),
    },
  ];
}

const modelText = ({ p, n, reason }: GroupPermutation): string => reason ?? `p ${probability(p).text} over ${n} models`;

const interactionTable = (interaction: StudyQuestions['deltas']['interaction']): DataTable[] => [
  {
    title: 'Interaction of size and family',
    note:
      'Scheirer, Ray and Hare’s test on ranks of |Δ pass|: whether the effect of size differs between ' +
      `families.${notTestedText(interaction)}`,
    words: 1,
    heads: ['Effect', 'N', 'Degrees of freedom', 'H', 'p'],
    rows: [['size × family', count(interaction.n), count(interaction.df), ...testCells(interaction)]],
  },
];

/** Figure 2b. */
function gridTable(cells: readonly GridCell[]): DataTable[] {
  if (cells.length === 0) return [];
  const families = [...new Set(cells.map(({ family }) => family))];
  const shade = shadeAmong(cells.map(({ aucE }) => aucE));
  const sizes = sizeGroups.filter((size) => cells.some((cell) => cell.size === size));
  return [
    {
      title: `AUC-E by size and family, ${cells[0]?.method === 'full' ? 'PromptSE' : 'PromptSELight'}`,
      note:
        'Mean over the models of a cell; below it the 95 % interval over tasks (Gaffke’s bounds, for these models) ' +
        'and the number of models.',
      words: 1,
      heads: ['Size', ...families],
      rows: sizes.map((size) => [
        size,
        ...families.map((family) => {
          const cell = cells.find((one) => one.size === size && one.family === family);
          return cell === undefined ? number(null) : gridCell(cell, shade(cell.aucE));
        }),
      ]),
    },
  ];
}

const gridCell = ({ aucE, interval, models }: GridCell, shade: number | null): DataCell => ({
  ...number(aucE),
  under: [...(interval === null ? [] : [range(interval).text]), `${models} ${models === 1 ? 'model' : 'models'}`],
  shade,
  n: `${models} models`,
});
