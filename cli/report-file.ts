/** A report under its name: sealed with the run where it lies in the run's folder. */
import { dirname, resolve } from 'node:path';
import { writeSealedReport } from '../activities/storage/seals.ts';
import { writeOutput } from './output-file.ts';

export async function writeReport(runFolder: string, file: string, text: string): Promise<void> {
  if (resolve(dirname(file)) === resolve(runFolder)) writeSealedReport(runFolder, file, text);
  else await writeOutput(file, [text]);
}
