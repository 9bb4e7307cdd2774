/** Writes the replay file that an import makes. */
import { resolve } from 'node:path';
import { InputError } from '../../../domain/errors.ts';
import { writeOutput } from '../../output/output-file.ts';

/** Returns its absolute path. */
export async function writeReplayFile(lines: readonly object[], out: string | undefined): Promise<string> {
  if (out === undefined)
    throw new InputError('is required: the replay file to write; or give --compare RUN', { field: '--out' });
  const path = resolve(out);
  await writeOutput(
    path,
    lines.map((line) => `${JSON.stringify(line)}\n`),
  );
  return path;
}
