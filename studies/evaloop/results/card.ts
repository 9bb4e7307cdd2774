/** EVALOOP on a model's card: ASL in the default setting. */
import type { CardSource } from '../../../analysis/card/card-source.ts';
import { decimals } from '../../../analysis/report/format.ts';
import type { CardMetric } from '../../../domain/card/card-metric.ts';
import type { TaskMeasure } from '../../../domain/card/card-measure.ts';
import { aslInterval } from '../../../domain/metrics/judges/asl-interval.ts';
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { isSame, type Sides } from '../../../analysis/gate/compared.ts';
import { hasJudge, judgedBy } from '../judges.ts';
import { defaultLoops, type EndedLoops } from './default-loops.ts';
import { haveSameLoops } from './needed-settings.ts';
import { loopExtremes, loopValues, sharedIds } from './loop-values.ts';

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

/**
 * ASL with the judge's similarities; with s = 1 if there is no judge. Only for the same M and pair. Where not all runs
 * have the same judges, ASL is that of the runs with a judge, if it is one and the same, and all are compared with
 * s = 1.
 */
export const loopsCard: CardSource<EvaloopStudy> = {
  metrics: [asl, unweighted],
  read: async (database, { sides, changed }) => {
    const [{ study }] = sides;
    const { maxLoops, judge } = study.settings;
    if (!haveSameLoops(sides)) return [];
    const measured = (isJudged: boolean, of: readonly boolean[] = sides.map(() => true)) =>
      loopsMeasure(database, sides, changed, { maxLoops, isJudged, of });
    if (isSame(sides, ({ settings }, spec, all) => judgedBy(settings, spec, all)))
      return [await measured(judge !== 'none')];
    const specs = sides.map(({ manifest }) => manifest.spec);
    const judges = sides.map((side) =>
      hasJudge(side.study.settings) ? JSON.stringify(judgedBy(side.study.settings, side.manifest.spec, specs)) : null,
    );
    const isOne = new Set(judges.filter((one) => one !== null)).size === 1;
    const ofJudge = judges.map((one) => isOne && one !== null);
    const weighted = await measured(true, ofJudge);
    const ownReasons = weighted.whyNone ?? [];
    const whyNone = judges.map((one, side) =>
      one === null ? 'its run has no judge' : isOne ? (ownReasons[side] ?? null) : otherJudges,
    );
    return [{ ...weighted, whyNone }, await measured(false)];
  },
};

const otherJudges = 'other runs have other judges';
const noSimilarity = 'the breaks after a number of loops have no similarity; table asl says which';

interface LoopsWanted {
  readonly maxLoops: number;
  readonly isJudged: boolean;
  /** By side: whether it is measured. */
  readonly of: readonly boolean[];
}

async function loopsMeasure(
  database: RunDatabase,
  sides: Sides<EvaloopStudy>['sides'],
  changed: ReadonlySet<string>,
  { maxLoops, isJudged, of }: LoopsWanted,
): Promise<TaskMeasure> {
  const found = await defaultLoops(
    database,
    sides.filter((_, side) => of[side]),
    changed,
  );
  const shared = sharedIds(found);
  const cells = of.map((isMeasured) => (isMeasured ? (found.shift() ?? []) : []));
  const open = cells.map((own) => loopExtremes(own, maxLoops, isJudged, shared));
  const values = cells.map((own) => loopValues(own, maxLoops, isJudged, shared));
  return {
    metric: isJudged ? asl : unweighted,
    condition: 'all',
    range: { kind: 'bounded', lo: 0, hi: maxLoops },
    values: values.map((own) => own ?? new Map()),
    whyNone: values.map((own) => (own === null ? noSimilarity : null)),
    ...(open.some(({ unjudged }) => unjudged > 0) && {
      extremes: { least: open.map(({ least }) => least), most: open.map(({ most }) => most) },
    }),
    ...(isJudged && {
      intervalOf: (model: number, taskIds: readonly string[], level: number) =>
        judgedInterval(cells[model] ?? [], taskIds, maxLoops, level),
    }),
  };
}

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
