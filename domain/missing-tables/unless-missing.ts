/** What is shown of runs whose tables could not all be computed. */
import { isComputingFault } from './computing-fault.ts';
import type { Manifest } from '../../schemas/manifest.ts';

interface OfRuns {
  readonly manifests: readonly Pick<Manifest, 'missingTables'>[];
}

/**
 * The fault that left tables out at a run's end may come back whenever its results are shown.
 * @param without makes what takes the place of what fails then; of runs with all their tables the fault is thrown
 */
export async function unlessMissing<T>(
  { manifests }: OfRuns,
  compute: () => Promise<T> | T,
  without: (fault: Error) => T,
): Promise<T> {
  try {
    return await compute();
  } catch (error) {
    if (isComputingFault(error) && manifests.some(({ missingTables }) => missingTables !== undefined))
      return without(error);
    throw error;
  }
}
