import type { EvaloopStudy } from '../../studies/evaloop/settings.ts';

/** The loop's settings of a spec without attacks and further settings. */
export const plainLoops: EvaloopStudy['settings'] = {
  maxLoops: 10,
  judge: 'none',
  judgeAsks: 3,
  temperature: 0,
  topP: 1,
  maxTokens: 1024,
  pair: 'summary',
  attacks: [],
  attackDraws: 1,
  attackSeed: 0,
  summaryPrompts: [],
  temperatures: [],
  sampledRuns: 0,
  sampledTemperature: 0.7,
  collapseThreshold: 0.8,
};
