/** EVALOOP in comparisons: each task's contribution to ASL, in the default setting. */
import { hasJudge, judgedBy } from '../judges.ts';
import { defaultLoops, type EndedLoops } from './default-loops.ts';
import { haveSameLoops } from './needed-settings.ts';
import { loopExtremes, loopValues, sharedIds } from './loop-values.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import {
  comparedTasks,
  type Compared,
  type GateSource,
  isSame,
  openTasks,
  plainSubject,
  type Side,
  sharedTasks,
} from '../../../analysis/gate/compared.ts';

type EvaloopStudy = Extract<SpecStudy, { kind: 'evaloop' }>;

const isJudged = ({ study }: Side<EvaloopStudy>): boolean => hasJudge(study.settings);

/** Whether two sides or more are judged, or a side that is alone, and all of these by the same judges. */
function haveSameJudges(sides: readonly Side<EvaloopStudy>[]): boolean {
  const [first, ...others] = sides.filter(isJudged);
  if (first === undefined || (others.length === 0 && sides.length > 1)) return false;
  return others.length === 0 || isSame([first, ...others], ({ settings }, spec, all) => judgedBy(settings, spec, all));
}

/**
 * Compares only runs with the same M and pair, and ASL only with the same judges. Sides without judges have no ASL.
 * @param needsJudge whether a side has no ASL either where the judge was never asked about a break of a shared task
 */
const loopsWith =
  (needsJudge: boolean): GateSource<EvaloopStudy> =>
  async (database, { sides, changed }) => {
    const [{ study }] = sides;
    const { maxLoops } = study.settings;
    if (!haveSameLoops(sides)) return [];
    const cells = await defaultLoops(database, sides, changed);
    const judged = sides.map(isJudged);
    const shared = sharedIds(cells);
    const isUnknown = (own: readonly EndedLoops[], place: number): boolean =>
      !judged[place] || (needsJudge && own.some(({ isUnjudged, taskId }) => isUnjudged && shared.has(taskId)));
    const compared = (metric: 'asl' | 'asl_unweighted'): Compared[] => {
      const values = cells.map((own, place) =>
        metric === 'asl' && isUnknown(own, place) ? null : loopValues(own, maxLoops, metric === 'asl', shared),
      );
      const isDefined = !values.includes(null);
      const tasks = sharedTasks(
        values.map((own) => own ?? new Map()),
        changed,
      );
      const extremes = cells.map((own) => loopExtremes(own, maxLoops, metric === 'asl', shared));
      const open = isDefined ? openTasks(extremes, changed) : null;
      const range = { kind: 'bounded', lo: 0, hi: maxLoops } as const;
      return [
        comparedTasks(
          plainSubject(metric, study.benchmark),
          { ...tasks, ...(open && { open: open.open }) },
          range,
          open?.inGate ?? null,
        ),
      ];
    };
    return [...compared('asl_unweighted'), ...(haveSameJudges(sides) ? compared('asl') : [])];
  };

export const loopsSource = loopsWith(false);
/** Verdicts read in another way move breaks to loops of which no judge was asked: no mean of others stands for that. */
export const reviewedLoopsSource = loopsWith(true);
