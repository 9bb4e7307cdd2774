/** A verdict as the ledger keeps it: values in order without their names, which would take half of its room. */
import type { VerdictRecord } from '../records.ts';
import { packBody, type StoredBody, unpackBody } from './stored-body.ts';

/** How a verdict was come by: the same for most verdicts of a run, so it is kept once. */
export type Shared = Pick<VerdictRecord, 'tier' | 'lane' | 'engine' | 'imageDigest' | 'limits'>;
/** The rest, but for the key, which has a column of its own. */
export type Own = Omit<VerdictRecord, keyof Shared | 'executionKey'>;

/** What every verdict has, in this order for good: verdicts of format 5 and later are stored so. Then the rest. */
const always = [
  'programSha256',
  'suite',
  'outcome',
  'firstFailingCase',
  'detail',
  'wallMs',
  'cpuMs',
  'memoryBytes',
] as const satisfies readonly (keyof Own)[];

export function packVerdict(own: Own): StoredBody {
  const rest: Record<string, unknown> = { ...own };
  for (const name of always) delete rest[name];
  const values = always.map((name) => own[name]);
  return packBody(Object.keys(rest).length === 0 ? values : [...values, rest]);
}

/**
 * Reads verdicts of older formats, too; those up to format 3 have everything. Throws `CorruptionError`, naming `what`,
 * if the bytes do not match their hash.
 */
export function unpackVerdict(stored: StoredBody, what: string): Own {
  const found = unpackBody<Own | readonly unknown[]>(stored, what);
  if (!isList(found)) return found;
  const named = Object.fromEntries(always.map((name, place) => [name, found[place]]));
  return { ...named, ...(found[always.length] as Partial<Own> | undefined) } as Own;
}

const isList = (found: Own | readonly unknown[]): found is readonly unknown[] => Array.isArray(found);
