/** Detects that a run's folder was moved or removed while the run is in use. */
import { existsSync } from 'node:fs';
import { CorruptionError } from '../../domain/errors.ts';
import { manifestPath } from './run-paths.ts';

/** Throws `CorruptionError` if the folder is missing, so that nothing creates half a run in its place. */
export function refuseMoved(runFolder: string): void {
  if (existsSync(manifestPath(runFolder))) return;
  throw new CorruptionError(
    runFolder,
    'the run folder was moved or removed while the run was running',
    'put it back and resume the run',
  );
}
