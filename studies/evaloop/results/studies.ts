import type { Manifest } from '../../../schemas/manifest.ts';
import type { EvaloopStudy } from '../settings.ts';

export const evaloopStudies = ({ spec }: Manifest): EvaloopStudy[] =>
  spec.studies.filter((study) => study.kind === 'evaloop');
