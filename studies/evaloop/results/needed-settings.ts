/** What ASL depends on: M, what the loop alternates with code, and who judges the similarity of a break. */
import type { Sides } from '../../../analysis/gate/compared.ts';
import { haveSameSettings, type NeededSettings } from '../../../analysis/gate/needed-settings.ts';
import { askedJudges, judgePanel } from '../judges.ts';
import type { EvaloopStudy } from '../settings.ts';

const loops: NeededSettings<EvaloopStudy> = {
  metrics: ['asl', 'asl_unweighted'],
  settingsOf: ({ settings: { maxLoops, pair } }) => ({ maxLoops, pair }),
};

const judges: NeededSettings<EvaloopStudy> = {
  metrics: ['asl'],
  settingsOf({ settings }, spec, all) {
    const { temperature } = judgePanel(settings);
    const names = askedJudges(settings, spec, all);
    return names === null ? null : { judge: temperature === 0 ? names : `${names} at temperature ${temperature}` };
  },
};

/** Whether two runs have the same loops. */
export const haveSameLoops = (sides: Sides<EvaloopStudy>['sides']): boolean => haveSameSettings(sides, loops);

export const loopsNeed = [loops, judges];
