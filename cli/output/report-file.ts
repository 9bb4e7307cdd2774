/** Writes a report. One in the run's folder is sealed: the manifest gets its SHA-256. */
import { dirname, resolve } from 'node:path';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import { writeOutput } from './output-file.ts';

export async function writeReport({ folder, seals }: RunHome, file: string, text: string): Promise<void> {
  if (resolve(dirname(file)) === resolve(folder)) await seals.write(file, text);
  else await writeOutput(file, [text]);
}
