/** What ASL depends on: M, and who judges the similarity of a break. */
import type { NeededSettings } from '../../../analysis/gate/needed-settings.ts';
import { judgeNames, judgePanel } from '../judges.ts';
import type { EvaloopStudy } from '../settings.ts';

const mostLoops: NeededSettings<EvaloopStudy> = {
  metrics: ['asl', 'asl_unweighted'],
  settingsOf: ({ settings: { maxLoops } }) => ({ maxLoops }),
};

const judges: NeededSettings<EvaloopStudy> = {
  metrics: ['asl'],
  settingsOf({ settings }) {
    const { models, temperature, ...panel } = judgePanel(settings);
    const names = judgeNames({ ...panel, temperature, models: models.toSorted() });
    return names === null ? null : { judge: temperature === 0 ? names : `${names} at temperature ${temperature}` };
  },
};

export const loopsNeed = [mostLoops, judges];
