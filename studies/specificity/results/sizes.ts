/** PartialOrderEval by model size: pass@1 of the largest and the smallest model of a family at each level of detail. */
import type { Row } from '../../../schemas/tables.ts';
import { boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import { defaultLevel } from '../../../domain/statistics/intervals/interval.ts';
import { compareByColumns, groupByColumns, textOf } from '../../../domain/metrics/row-order.ts';
import { differenceBounds, meanColumns, shareBounds } from '../../../domain/metrics/score-intervals.ts';
import { differencesOf, keyColumns } from './rows.ts';
import { type LevelScores, levelScores, paired } from './scores.ts';

/**
 * By size (section 4.3): at each level the gap between the largest and the smallest model of a family, over the tasks
 * for which both have a score. Excludes families with only one size.
 */
export function sizeGapRows(passes: readonly Row[], models: readonly Row[]): Row[] {
  const modelColumns = ['run', 'study', 'benchmark', 'language', 'setting'];
  const sorted = passes.toSorted(compareByColumns([...keyColumns, 'task_id', 'variant', 'repetition']));
  return groupByColumns(sorted, modelColumns).flatMap((rows) => {
    const first = rows[0] as Row;
    const here = models.filter(
      (model) => model['run'] === first['run'] && rows.some((row) => row['model'] === model['model']),
    );
    const families = Map.groupBy(
      here.filter((model) => model['family'] !== null && model['size_b'] !== null),
      (model) => textOf(model, 'family'),
    );
    return [...families].flatMap(([family, members]) => {
      const bySize = members.toSorted((a, b) => Number(a['size_b']) - Number(b['size_b']));
      const [small, large] = [bySize[0] as Row, bySize.at(-1) as Row];
      if (small['size_b'] === large['size_b']) return [];
      const of = (model: Row): LevelScores[] => levelScores(rows.filter((row) => row['model'] === model['model']));
      const larger = of(large);
      return of(small).map((level) => {
        const other = larger.find(
          ({ augmentation, level: at }) => augmentation === level.augmentation && at === level.level,
        );
        const pairs = other === undefined ? [] : paired(level.scores, other.scores);
        const key = Object.fromEntries(modelColumns.map((column) => [column, first[column] ?? null]));
        return {
          ...key,
          ...{ family, smallest: textOf(small, 'model'), largest: textOf(large, 'model') },
          ...{ smallest_size_b: Number(small['size_b']), largest_size_b: Number(large['size_b']) },
          ...{ augmentation: level.augmentation, level: level.level },
          ...meanColumns(
            'smallest_pass_at_1',
            pairs.map(([score]) => score),
            shareBounds,
          ),
          ...meanColumns(
            'largest_pass_at_1',
            pairs.map(([, score]) => score),
            shareBounds,
          ),
          ...meanColumns('gap', differencesOf(pairs), differenceBounds),
          ...{ confidence: defaultLevel, interval_method: boundedMeanMethod, n: pairs.length },
          simulated: rows.some((row) => row['simulated'] === true),
        };
      });
    });
  });
}
