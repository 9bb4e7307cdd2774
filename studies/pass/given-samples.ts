/** The study that judges samples which another tool made: their temperature is not known. */
import type { SpecStudy } from '../../schemas/spec.ts';

export { mostPassSamples as mostGivenSamples } from '../../schemas/spec/pass.ts';

/** @param samples from 1 to `mostGivenSamples` */
export const givenSamplesStudy = (benchmark: string, samples: number) =>
  ({
    ...{ name: benchmark, kind: 'pass' satisfies SpecStudy['kind'], benchmark },
    settings: { samples, temperatures: [null] },
  }) as const;
