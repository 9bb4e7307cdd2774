/** Writes a report. One in the run's folder is sealed: the manifest gets its SHA-256. */
import { dirname, resolve } from 'node:path';
import { writeSealed } from '../../activities/storage/seals.ts';
import { writeOutput } from './output-file.ts';

export async function writeReport(runFolder: string, file: string, text: string): Promise<void> {
  if (resolve(dirname(file)) === resolve(runFolder)) await writeSealed(runFolder, file, text);
  else await writeOutput(file, [text]);
}
