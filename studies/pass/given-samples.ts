/** The study that judges samples which another tool made: their temperature is not known. */
import type { SpecStudy } from '../../schemas/spec.ts';

export const givenSamplesStudy = (benchmark: string, samples: number) =>
  ({
    ...{ name: benchmark, kind: 'pass' satisfies SpecStudy['kind'], benchmark },
    settings: { samples, temperatures: [null] },
  }) as const;
