/** How much the models' places differ between pass@1 and ASL (section 4.2), here and in the paper. */
import published from '../../../../data/published/evaloop-leaderboard.json' with { type: 'json' };
import { counted } from '../../../../domain/counted.ts';
import { rankChanges } from '../../../../domain/statistics/ranks/rank-changes.ts';
import type { Estimate } from '../../../../analysis/estimate.ts';
import type { LoopRanks } from '../../results/ranks/loop-ranks.ts';
import { estimatedNumber, estimatedShare } from '../../../../analysis/report/cells.ts';
import type { DataTable } from '../../../../analysis/report/part.ts';
import { placeText } from './place-cell.ts';

export function changesTable(ranks: LoopRanks): DataTable {
  const { changes, intervals, extremes } = ranks;
  const of = (name: keyof typeof changes): Estimate | null => {
    const value = changes[name];
    return value === null ? null : { value, interval: intervals[name].interval };
  };
  return {
    title: 'Rankings by ASL and by pass@1 compared',
    note: [aboutText(ranks), extremesText(extremes), paperText()].filter((text) => text !== '').join(' '),
    n: tasksText(ranks),
    words: 1,
    heads: ['Statistic', 'Value'],
    rows: [
      ['models with different places', estimatedShare(of('changedShare'))],
      ['models 10 or more places apart', estimatedShare(of('largeShare'))],
      ['mean difference of places', estimatedNumber(of('meanAbsolute'))],
      ['pairs of models in reversed order', estimatedShare(of('reversedShare'))],
      ['Spearman correlation', estimatedNumber(of('spearman'))],
      ['Kendall correlation', estimatedNumber(of('kendall'))],
    ],
  };
}

/** n of everything that rankings are computed from. */
export const tasksText = (ranks: LoopRanks): string => `n = ${commonTasks(ranks)}`;

/** The tasks that rankings are over: `57 tasks that count for every model with a place`. */
export const commonTasks = ({ tasks, unranked }: LoopRanks): string =>
  `${counted(tasks, 'task')} that ${tasks === 1 ? 'counts' : 'count'} for every model` +
  (unranked.length === 0 ? '' : ' with a place');

const aboutText = (ranks: LoopRanks): string =>
  `Over the ${commonTasks(ranks)}; ASL with every s = 1. 95 % ranges are from tasks resampled ` +
  'with replacement (for Spearman and Kendall: jackknife over models). Resampling alone moves models, so shares of ' +
  'changed places are above 0 even for identical rankings.';

const extremesText = (extremes: LoopRanks['extremes']): string =>
  extremes === null
    ? ''
    : `From pass@1 to ASL, a model gains at most ${placeText(extremes[0])} places and loses at most ` +
      `${placeText(-extremes[1])}.`;

/** The same statistics of the published models, computed from their places in table 2. */
function paperText(): string {
  const { models, changed, meanAbsolute, large, pairs, reversed } = rankChanges(
    published.rows.map(({ place, rise }) => place + rise),
    published.rows.map(({ place }) => place),
  );
  const percent = (count: number, of: number): string => `${((100 * count) / of).toPrecision(3)} %`;
  return (
    `The paper’s ${models} models: ${percent(changed, models)} have different places, ${meanAbsolute} places apart ` +
    `on average, ${percent(large, models)} by 10 or more; ${percent(reversed, pairs)} of pairs are reversed.`
  );
}
