/** A runs directory with real runs (of version 0.1) and a cache folder, for tests of `gc`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Collection } from '../../../activities/storage/gc/removable.ts';
import { collect, type Wanted } from '../../../workers/gc/collect.ts';
import { runCatalog } from '../../../activities/storage/catalog/open-catalog.ts';

const archives = join(import.meta.dirname, '../../integration/fixtures/version-0.1');

export interface Place {
  readonly runsDir: string;
  readonly cache: string;
  /** Unpacks a complete run (`whole`) or one that was killed half way (`half`). */
  run(kind: 'whole' | 'half', id: string): string;
  look(wanted?: Partial<Wanted>): Promise<Collection>;
}

export function placeIn(folder: string): Place {
  const runsDir = join(folder, 'runs');
  const cache = join(folder, 'cache');
  const temporary = join(folder, 'temporary');
  for (const path of [runsDir, cache, temporary]) mkdirSync(path);
  return {
    runsDir,
    cache,
    run: (kind, id) => {
      execFileSync('tar', ['-xzf', join(archives, `${kind}.tar.gz`), '-C', runsDir]);
      renameSync(join(runsDir, 'before'), join(runsDir, id));
      return join(runsDir, id);
    },
    look: async (wanted = {}) =>
      collect({
        runsDir,
        ids: await runCatalog(runsDir).ids(),
        isWanted: () => true,
        olderThanMs: null,
        incomplete: false,
        nowMs: Date.now(),
        env: { EVENKEEL_CACHE: cache },
        temporary,
        caches: new Set(),
        ...wanted,
      }),
  };
}

/** Writes a file and its folders, last changed `hours` ago. */
export function aged(path: string, hours: number, text = 'x'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return olden(path, hours);
}

export function olden(path: string, hours: number): string {
  const at = Date.now() / 1_000 - hours * 3_600;
  utimesSync(path, at, at);
  return path;
}

/** Removes everything, and returns why each of them stays (null: it is gone), by name. */
export async function removeAll({ removable }: Collection): Promise<Record<string, string | null>> {
  const ends: Record<string, string | null> = {};
  for (const one of removable) ends[one.name] = await one.remove();
  return ends;
}

export const namesOf = ({ removable }: Collection): string[] => removable.map(({ name }) => name).toSorted();
