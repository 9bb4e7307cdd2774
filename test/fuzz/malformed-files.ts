/**
 * Draws malformed files and gives them to their readers; a seed is printed, new each time
 * (EVENKEEL_FUZZ_SEED repeats one).
 */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { seedOf, uniform } from '../../domain/random.ts';
import { type FileKind, fileOf } from './files.ts';
import { spoiled } from './json-mutations.ts';
import { faultOfReader } from './judgement.ts';

export const fuzzSeed = Number(process.env['EVENKEEL_FUZZ_SEED'] ?? randomInt(2 ** 31));

/** What was wrong with how `kind`'s reader met `count` malformed files, one line each. */
export async function faultsOfReader(kind: FileKind, folder: string, count: number): Promise<string[]> {
  const random = uniform(seedOf('malformed', kind.name, fuzzSeed));
  const file = fileOf(folder, kind);
  const faults: string[] = [];
  for (let draw = 0; draw < count; draw += 1) {
    const one = spoiled(kind, random);
    writeFileSync(file, one.bytes);
    const fault = await faultOfReader(file, one, () => kind.read(file));
    if (fault !== null) faults.push(`${one.what}: ${fault}`);
  }
  return faults;
}
