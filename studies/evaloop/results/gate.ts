/** EVALOOP in comparisons: each task's contribution to ASL, in the default setting. */
import { judgedBy } from '../judges.ts';
import { defaultLoops } from './default-loops.ts';
import { loopExtremes, loopValues } from './loop-values.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import {
  comparedTasks,
  type Compared,
  type GateSource,
  isSame,
  openTasks,
  plainSubject,
  sharedTasks,
} from '../../../analysis/gate/compared.ts';

type EvaloopStudy = Extract<SpecStudy, { kind: 'evaloop' }>;

/** Compares only runs with the same M, and ASL only with the same judges. */
export const loopsSource: GateSource<EvaloopStudy> = async (database, { sides, changed }) => {
  const [{ study }] = sides;
  const { maxLoops, judge } = study.settings;
  if (!isSame(sides, ({ settings }) => settings.maxLoops)) return [];
  const sameJudge = judge !== 'none' && isSame(sides, ({ settings }) => judgedBy(settings));
  const cells = await defaultLoops(database, sides, changed);
  const compared = (metric: 'asl' | 'asl_unweighted'): Compared[] => {
    const values = cells.map((own) => loopValues(own, maxLoops, metric === 'asl'));
    const isDefined = !values.includes(null);
    const tasks = sharedTasks(
      values.map((own) => own ?? new Map()),
      changed,
    );
    const extremes = cells.map((own) => loopExtremes(own, maxLoops, metric === 'asl'));
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
  return [...compared('asl_unweighted'), ...(sameJudge ? compared('asl') : [])];
};
