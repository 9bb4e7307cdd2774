/** What a run's measurements need of this machine. */
import type { Spec } from '../../schemas/spec.ts';
import { studyOf } from '../../studies/index.ts';
import { python } from './bubblewrap-host.ts';
import { pylintPackages } from './pylint-packages.ts';

/**
 * Installs Pylint into `cacheFolder` if a study of the spec measures quality and the tier has no image with it.
 * @throws MissingPartError if it cannot be installed: better no run than one without what was asked for
 */
export async function prepareMeasuring(
  { studies }: Pick<Spec, 'studies'>,
  tier: string,
  cacheFolder: string,
  onProgress: (line: string) => void,
): Promise<void> {
  if (tier !== 'bubblewrap' || studies.every((study) => studyOf(study).measuredAt === undefined)) return;
  await pylintPackages(cacheFolder, python, onProgress);
}
