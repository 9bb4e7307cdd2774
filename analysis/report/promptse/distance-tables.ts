/** RQ2 as tables. */
import type { DeltaSpread, GroupEffect } from '../../../domain/metrics/promptse/delta-effect.ts';
import type { GroupPermutation } from '../../../domain/statistics/group-permutation.ts';
import { sizeGroups } from '../../../domain/metrics/promptse/groups.ts';
import type { GridCell, StudyQuestions } from '../../promptse-questions.ts';
import type { DataTable } from '../data-table.ts';
import { missing } from '../format.ts';
import { count, number, probability, range, shadeAmong, shareEstimate, test } from './cells.ts';

const units = {
  task: 'a model’s task at a distance',
  distance: 'a model at a distance, over its tasks',
  emotion: 'a model, emotion and distance, over its tasks',
} as const;

export const distanceTables = ({ deltas, settings }: StudyQuestions): DataTable[] => [
  {
    title: '|Δ pass| by distance',
    note: `Δ pass is the mean pass rate of the variants minus that of the original; one value is ${units[settings.deltaUnit]}. Falls: share of values below 0. ${spreadIntervals(settings.deltaUnit)}`,
    words: 1,
    heads: ['Distance', 'n', ...spreadHeads],
    rows: deltas.distances.map((spread) => [String(spread.distance), ...spreadCells(spread)]),
  },
  ...[deltas.size, deltas.family].flatMap((effect) => (effect === null ? [] : effectTables(effect, settings.deltaUnit))),
  ...interactionTable(deltas.interaction),
  ...(['full', 'light'] as const).flatMap((method) => gridTable(deltas.grid.filter((cell) => cell.method === method))),
];

const spreadHeads = ['Mean |Δ|', '95 %', 'Variance', '95 %', 'Falls', '95 %'];

const drawn = (unit: StudyQuestions['settings']['deltaUnit']): string =>
  unit === 'task' ? 'tasks, with the models as they are' : 'models';

const spreadIntervals = (unit: StudyQuestions['settings']['deltaUnit']): string =>
  `Intervals (95 %) over ${drawn(unit)}: Gaffke’s bounds, of the variance those of squared deviations.`;

const spreadCells = ({ n, meanAbsolute, variance, shareNegative, intervals }: DeltaSpread) => [
  ...[count(n), number(meanAbsolute), range(intervals.meanAbsolute), number(variance, 4), range(intervals.variance, 4)],
  ...shareEstimate({ value: shareNegative, interval: intervals.shareNegative }),
];

function effectTables(effect: GroupEffect, unit: StudyQuestions['settings']['deltaUnit']): DataTable[] {
  const { by, spreads, kruskalWallis: h, pairs } = effect;
  const tested =
    h.statistic === null
      ? `Not tested: ${h.reason}.`
      : `Kruskal–Wallis over N = ${h.n}: H ${number(h.statistic).text}, p ${probability(h.p).text}, epsilon squared ${number(effect.epsilonSquared).text} (95 % ${range(effect.interval).text}).`;
  return [
    {
      title: `|Δ pass| by ${by}`,
      note: `As published: ${tested} It takes every value for an observation of its own, though ${by} is a property of models. With each model as one observation (its mean |Δ pass|; all ways to deal the models out to the groups): ${modelText(effect.models)}. ${spreadIntervals(unit)}`,
      words: 2,
      heads: [by === 'size' ? 'Size' : 'Family', 'Distance', 'n', ...spreadHeads],
      rows: spreads.map((spread) => [
        spread.group ?? '',
        spread.distance === null ? 'all' : String(spread.distance),
        ...spreadCells(spread),
      ]),
    },
    {
      title: `Pairs: ${by}`,
      note: 'Mann–Whitney on |Δ pass|, p corrected after Benjamini and Hochberg. Cliff’s delta: chance that a value of the first group is the greater one minus that it is the smaller; its interval is a jackknife. Last columns: the same question with each model as one observation.',
      words: 2,
      heads: ['First', 'Second', 'n', 'U', 'p', 'p, corrected', 'Cliff’s delta', '95 % interval', 'Models', 'p, models'],
      rows: pairs.map(({ groups, test: result, corrected, cliffsDelta, interval, models }) => [
        ...groups,
        count(result.n),
        { text: result.statistic === null ? missing : String(result.statistic), value: result.statistic },
        probability(result.p),
        probability(corrected),
        number(cliffsDelta),
        range(interval),
        count(models.n),
        models.p === null ? { text: `${missing} (least ${models.leastP?.toPrecision(2) ?? missing})`, value: null } : probability(models.p),
      ]),
    },
  ];
}

const modelText = ({ p, n, reason }: GroupPermutation): string => reason ?? `p ${probability(p).text} over ${n} models`;

const interactionTable = (interaction: StudyQuestions['deltas']['interaction']): DataTable[] => [
  {
    title: 'Size and family together',
    note: `Scheirer, Ray and Hare’s test on ranks of |Δ pass|: whether size matters differently from family to family.${interaction.reason === null ? '' : ` Not tested: ${interaction.reason}.`}`,
    words: 1,
    heads: ['Effect', 'N', 'Degrees of freedom', 'H', 'p'],
    rows: [['size × family', count(interaction.n), count(interaction.df), ...test(interaction)]],
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
      note: 'Mean over the models of a cell, their number behind it, and the 95 % interval over tasks (Gaffke’s bounds, the models as they are).',
      words: 1,
      heads: ['Size', ...families],
      rows: sizes.map((size) => [
        size,
        ...families.map((family) => {
          const cell = cells.find((one) => one.size === size && one.family === family);
          return cell === undefined
            ? number(null)
            : { text: `${cell.aucE.toFixed(3)} (${cell.models}), ${range(cell.interval).text}`, value: cell.aucE, shade: shade(cell.aucE) };
        }),
      ]),
    },
  ];
}
