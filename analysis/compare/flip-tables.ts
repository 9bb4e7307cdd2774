/** The tasks on which two models differ. */
import { type Comparison, decisiveFirst, type OrientedPair } from '../../domain/compare/comparison.ts';
import { flipSides, flipsOf, type TaskFlip } from '../../domain/compare/flips.ts';
import { gateMetric } from '../../domain/gate/metrics.ts';
import { count, number, probability } from '../report/cells.ts';
import { missing } from '../report/format.ts';
import type { DataCell, DataTable } from '../report/part.ts';

/** With more models there are too many lists to read. */
const mostModels = 4;

/** A table for each pair and direction, the surest tasks first; none for many models, or if most tasks differ. */
export function flipTables(comparison: Comparison): DataTable[] {
  if (comparison.models.length > mostModels || gateMetric(comparison.subject.metric).namesTasks !== true) return [];
  return decisiveFirst(comparison).flatMap((pair) => {
    const flips = pairFlips(comparison, pair);
    return [true, false].flatMap((isAhead) => {
      const own = flips.filter(({ firstIsBetter }) => firstIsBetter === isAhead);
      return own.length === 0 ? [] : [flipTable(pair, isAhead, own)];
    });
  });
}

function pairFlips(comparison: Comparison, { first, second }: OrientedPair): TaskFlip[] {
  const { options } = comparison;
  return flipsOf({
    ...flipSides(comparison, [first, second]),
    direction: options.direction,
    most: options.range.kind === 'bounded' ? options.range.hi : 1,
  });
}

function flipTable({ ahead, behind }: OrientedPair, isAhead: boolean, flips: readonly TaskFlip[]): DataTable {
  const [winner, loser] = isAhead ? [ahead, behind] : [behind, ahead];
  return {
    title: `Tasks on which ${winner.name} is better than ${loser.name}: ${flips.length}, surest first`,
    words: 1,
    folded: true,
    heads: ['Task', ahead.name, behind.name, 'Answers', { text: 'p', under: 'this task alone' }],
    rows: flips.map(({ taskId, first, second, samples, p }) => [
      taskId,
      number(first, 2),
      number(second, 2),
      answersCell(samples),
      probability(p),
    ]),
  };
}

/** One number if both models have as many. */
function answersCell(samples: TaskFlip['samples']): DataCell {
  if (samples === null) return { text: missing, value: null };
  const [first, second] = samples;
  return first === second ? count(first) : { text: `${first}, ${second}`, value: first + second };
}
