/** EVALOOP on a model's card: ASL. */
import type { CardSource } from '../../../analysis/card/card-source.ts';
import { ownRows, type Side } from '../../../analysis/gate/compared.ts';
import { records } from '../../../analysis/records.ts';
import { decimals } from '../../../analysis/report/format.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import type { TaskMeasure } from '../../../domain/card/card-measure.ts';
import { weightedSquare } from '../../../domain/metrics/asl.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { clusteredInterval } from '../../../domain/statistics/intervals/clustered-interval.ts';
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import { isSame } from '../../../analysis/gate/compared.ts';
import { loopValues } from './loop-values.ts';

type EvaloopStudy = Extract<SpecStudy, { kind: 'evaloop' }>;

const common = {
  trait: 'loops',
  direction: 'higher',
  unit: 'loops',
  text: (value: number) => decimals(value, 2),
} as const;

const asl: CardMetric = { ...common, name: 'asl', title: 'ASL', says: ({ text }) => `sustains ${text}` };
const unweighted: CardMetric = {
  ...{ ...common, name: 'asl_unweighted', title: 'ASL, s = 1' },
  says: ({ text }) => `sustains ${text} with s = 1`,
};

/** ASL with the judge's similarities; with s = 1 if there is no judge. Only for the same M and judge. */
export const loopsCard: CardSource<EvaloopStudy> = {
  metrics: [asl, unweighted],
  read: async (database, { sides }) => {
    const [{ study }] = sides;
    const { maxLoops, judge } = study.settings;
    if (!isSame(sides, ({ settings }) => [settings.maxLoops, settings.judge])) return [];
    const rows = await Promise.all(sides.map((side) => loopsOf(database, side)));
    const isJudged = judge !== 'none';
    const measure: TaskMeasure = {
      metric: isJudged ? asl : unweighted,
      condition: 'all',
      range: { kind: 'bounded', lo: 0, hi: maxLoops },
      values: rows.map((own) => loopValues(own, maxLoops, isJudged) ?? new Map()),
    };
    if (!isJudged) return [measure];
    return [
      {
        ...measure,
        intervalOf: (model, taskIds, level) => judgedInterval(rows[model] ?? [], taskIds, maxLoops, level),
      },
    ];
  },
};

const loopsOf = (database: RunDatabase, side: Side): Promise<Row[]> =>
  records(
    database,
    `select task_id, variant, ended_by, sustained_loops, similarity from loops where ${ownRows(side)}
     and variant = 'original' and ended_by <> 'excluded' order by task_id, setting, repetition`,
  );

/** As in table `asl`: a cell without a similarity could have any from 0 to 1. */
function judgedInterval(
  rows: readonly Row[],
  taskIds: readonly string[],
  maxLoops: number,
  level: number,
): Interval | null {
  const shared = new Set(taskIds);
  const cells = rows.filter((row) => shared.has(textOf(row, 'task_id')));
  const clusters = [...Map.groupBy(cells, (row) => textOf(row, 'task_id')).values()];
  const end = (unscored: 0 | 1): Interval | null =>
    clusteredInterval(
      clusters,
      (row) => weightedSquare(loopCell(row), maxLoops, unscored),
      { lo: 0, hi: maxLoops },
      level,
    );
  const [least, most] = [end(0), end(1)];
  return least === null || most === null ? null : { lo: least.lo, hi: most.hi };
}

const loopCell = (row: Row) => ({
  sustainedLoops: numberOf(row, 'sustained_loops'),
  similarity: row['similarity'] == null ? null : numberOf(row, 'similarity'),
});
