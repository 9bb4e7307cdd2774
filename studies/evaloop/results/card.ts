/** EVALOOP on a model's card: ASL in the default setting. */
import type { CardSource } from '../../../analysis/card/card-source.ts';
import { decimals } from '../../../analysis/report/format.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import type { TaskMeasure } from '../../../domain/card/card-measure.ts';
import { aslInterval } from '../../../domain/metrics/judges/asl-interval.ts';
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import { isSame } from '../../../analysis/gate/compared.ts';
import { judgedBy } from '../judges.ts';
import { defaultLoops, type EndedLoops } from './default-loops.ts';
import { loopExtremes, loopValues } from './loop-values.ts';

type EvaloopStudy = Extract<SpecStudy, { kind: 'evaloop' }>;

const common = {
  trait: 'loops',
  direction: 'higher',
  unit: 'loops',
  // A mean of i² / M over tasks, which is not how many loops they sustain.
  saidUnit: '',
  text: (value: number) => decimals(value, 2),
} as const;

const meaning =
  'Average Sustainable Loops, a score from 0 to M, the most loops: a task that keeps passing for i loops of ' +
  'describing code and writing it again adds i² / M to the mean';

const asl: CardMetric = {
  ...{ ...common, name: 'asl', title: 'ASL' },
  meaning: `${meaning}, weighted by the judge`,
  says: ({ text }) => `has an ASL of ${text}`,
};
const unweighted: CardMetric = {
  ...{ ...common, name: 'asl_unweighted', title: 'ASL, s = 1' },
  meaning: `${meaning}, each loop counted fully`,
  says: ({ text }) => `has an ASL of ${text} with s = 1`,
};

/** ASL with the judge's similarities; with s = 1 if there is no judge. Only for the same M and judges. */
export const loopsCard: CardSource<EvaloopStudy> = {
  metrics: [asl, unweighted],
  read: async (database, { sides, changed }) => {
    const [{ study }] = sides;
    const { maxLoops, judge } = study.settings;
    if (!isSame(sides, ({ settings }) => [settings.maxLoops, judgedBy(settings)])) return [];
    const cells = await defaultLoops(database, sides, changed);
    const isJudged = judge !== 'none';
    const open = cells.map((own) => loopExtremes(own, maxLoops, isJudged));
    const measure: TaskMeasure = {
      metric: isJudged ? asl : unweighted,
      condition: 'all',
      range: { kind: 'bounded', lo: 0, hi: maxLoops },
      values: cells.map((own) => loopValues(own, maxLoops, isJudged) ?? new Map()),
      ...(open.some(({ unjudged }) => unjudged > 0) && {
        extremes: { least: open.map(({ least }) => least), most: open.map(({ most }) => most) },
      }),
    };
    if (!isJudged) return [measure];
    return [
      {
        ...measure,
        intervalOf: (model, taskIds, level) => judgedInterval(cells[model] ?? [], taskIds, maxLoops, level),
      },
    ];
  },
};

/** As in table `asl`, for the judges that were asked: all models of a card have the same ones. */
function judgedInterval(
  cells: readonly EndedLoops[],
  taskIds: readonly string[],
  maxLoops: number,
  level: number,
): Interval | null {
  const shared = new Set(taskIds);
  return aslInterval(
    cells.filter(({ isExcluded, taskId }) => !isExcluded && shared.has(taskId)),
    maxLoops,
    level,
  );
}
