/** Which runs and caches the arguments of `gc` name. */
import type { WantedRuns } from '../../../activities/storage/gc/old-runs.ts';
import { InputError } from '../../../domain/errors.ts';
import { nearest } from '../../../domain/nearest.ts';
import { byNameOnly, type CacheName, caches } from '../../../workers/gc/cache-names.ts';

export interface GcOptions {
  readonly runsDir: string;
  readonly olderThan?: string;
  readonly incomplete?: boolean;
  readonly caches?: string;
  readonly yes?: boolean;
}

const dayMs = 24 * 3_600_000;

/** Without a pattern and an age, no run is meant. Throws InputError for an id that no run has. */
export function wantedRuns(
  patterns: readonly string[],
  { olderThan, incomplete = false }: GcOptions,
  ids: readonly string[],
): Pick<WantedRuns, 'isWanted' | 'olderThanMs' | 'incomplete'> {
  const olderThanMs = olderThan === undefined ? null : days(olderThan) * dayMs;
  if (incomplete && patterns.length === 0 && olderThan === undefined)
    throw new InputError('needs runs to apply to: give a pattern of run ids, or --older-than DAYS', {
      field: '--incomplete',
    });
  const tests = patterns.map((pattern) => matching(pattern, ids));
  const isWanted = (id: string): boolean =>
    tests.length === 0 ? olderThan !== undefined : tests.some((test) => test.test(id));
  return { isWanted, olderThanMs, incomplete };
}

function days(text: string): number {
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value < 1e6) return value;
  throw new InputError(`must be a number of days from 0; got "${text}"`, { field: '--older-than' });
}

/** `*` stands for any characters, `?` for one. */
function matching(pattern: string, ids: readonly string[]): RegExp {
  const parts = pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, (sign) => ({ '*': '.*', '?': '.' })[sign] ?? `\\${sign}`);
  const test = new RegExp(`^${parts}$`, 's');
  if (/[*?]/.test(pattern) || ids.includes(pattern)) return test;
  const guess = nearest(pattern, ids);
  const hint = guess === undefined ? '' : `did you mean "${guess}"? `;
  throw new InputError(`no run "${pattern}"; ${hint}"evenkeel status" lists all`);
}

/** Throws InputError for an unknown name. */
export function wantedCaches(text: string | undefined): ReadonlySet<CacheName> {
  const known = Object.keys(caches) as CacheName[];
  const names = (text ?? '').split(',').map((name) => name.trim());
  if (text === undefined) return new Set();
  return new Set(
    names.flatMap((name) => {
      if (name === 'all') return known.filter((cache) => !byNameOnly.includes(cache));
      const cache = known.find((one) => one === name);
      if (cache !== undefined) return [cache];
      throw new InputError(`must be all or any of ${known.join(', ')}, separated by commas; got "${name}"`, {
        field: '--caches',
      });
    }),
  );
}
