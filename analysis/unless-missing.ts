/** What is shown of runs whose tables could not all be computed. */
import { isComputingFault } from '../domain/computing-fault.ts';
import type { Manifest } from '../schemas/manifest.ts';

interface OfRuns {
  readonly manifests: readonly Pick<Manifest, 'missingTables'>[];
}

/** The fault that left tables out at a run's end may come back whenever its results are shown. */
export const mayFailAgain = ({ manifests }: OfRuns, error: unknown): boolean =>
  isComputingFault(error) && manifests.some(({ missingTables }) => missingTables !== undefined);

/** @param without what takes its place, where the fault that left out tables of a run comes back */
export async function unlessMissing<T>(runs: OfRuns, compute: () => Promise<T>, without: T): Promise<T> {
  try {
    return await compute();
  } catch (error) {
    if (mayFailAgain(runs, error)) return without;
    throw error;
  }
}
