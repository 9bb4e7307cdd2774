/** RQ2 as tables. */
import type { DeltaSpread, GroupEffect } from '../../../domain/metrics/promptse/delta-effect.ts';
import { sizeGroups } from '../../../domain/metrics/promptse/groups.ts';
import type { GridCell, StudyQuestions } from '../../promptse-questions.ts';
import type { DataTable } from '../data-table.ts';
import { missing } from '../format.ts';
import { count, number, probability, range, shadeAmong, share, test } from './cells.ts';

const units = {
  task: 'a model’s task at a distance',
  distance: 'a model at a distance, over its tasks',
  emotion: 'a model, emotion and distance, over its tasks',
} as const;

export const distanceTables = ({ deltas, settings }: StudyQuestions): DataTable[] => [
  {
    title: '|Δ pass| by distance',
    note: `Δ pass is the mean pass rate of the variants minus that of the original; one value is ${units[settings.deltaUnit]}. Falls: share of values below 0.`,
    words: 1,
    heads: ['Distance', 'n', 'Mean |Δ|', 'Variance', 'Falls'],
    rows: deltas.distances.map((spread) => [String(spread.distance), ...spreadCells(spread)]),
  },
  ...[deltas.size, deltas.family].flatMap((effect) => (effect === null ? [] : effectTables(effect, settings.deltaUnit))),
  ...interactionTable(deltas.interaction),
  ...(['full', 'light'] as const).flatMap((method) => gridTable(deltas.grid.filter((cell) => cell.method === method))),
];

const spreadCells = ({ n, meanAbsolute, variance, shareNegative }: DeltaSpread) => [
  ...[count(n), number(meanAbsolute), number(variance, 4)],
  share(shareNegative),
];

function effectTables(effect: GroupEffect, unit: StudyQuestions['settings']['deltaUnit']): DataTable[] {
  const { by, spreads, kruskalWallis: h, pairs } = effect;
  const drawn = unit === 'task' ? 'tasks, with the models as they are' : 'models';
  const tested =
    h.statistic === null
      ? `Not tested: ${h.reason}.`
      : `Kruskal–Wallis over N = ${h.n}: H ${number(h.statistic).text}, p ${probability(h.p).text}, epsilon squared ${number(effect.epsilonSquared).text} (95 % ${range(effect.interval).text}).`;
  return [
    {
      title: `|Δ pass| by ${by}`,
      note: `${tested} Intervals of effect sizes are bootstraps over ${drawn}.`,
      words: 2,
      heads: [by === 'size' ? 'Size' : 'Family', 'Distance', 'n', 'Mean |Δ|', 'Variance', 'Falls'],
      rows: spreads.map((spread) => [
        spread.group ?? '',
        spread.distance === null ? 'all' : String(spread.distance),
        ...spreadCells(spread),
      ]),
    },
    {
      title: `Pairs: ${by}`,
      note: 'Mann–Whitney on |Δ pass|, p corrected after Benjamini and Hochberg. Cliff’s delta: chance that a value of the first group is the greater one minus that it is the smaller.',
      words: 2,
      heads: ['First', 'Second', 'U', 'p', 'p, corrected', 'Cliff’s delta', '95 % interval'],
      rows: pairs.map(({ groups, test: result, corrected, cliffsDelta, interval }) => [
        ...groups,
        { text: result.statistic === null ? missing : String(result.statistic), value: result.statistic },
        probability(result.p),
        probability(corrected),
        number(cliffsDelta),
        range(interval),
      ]),
    },
  ];
}

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
      note: 'Mean over the models of a cell, their number behind it.',
      words: 1,
      heads: ['Size', ...families],
      rows: sizes.map((size) => [
        size,
        ...families.map((family) => {
          const cell = cells.find((one) => one.size === size && one.family === family);
          return cell === undefined
            ? number(null)
            : { text: `${cell.aucE.toFixed(3)} (${cell.models})`, value: cell.aucE, shade: shade(cell.aucE) };
        }),
      ]),
    },
  ];
}
