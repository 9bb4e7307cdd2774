/** What a run's ledger may lack that no resume can make up for. */
import { dirname } from 'node:path';
import { lockedManifest } from '../../../manifest-file.ts';
import { knownParts, unknownParts } from '../../../parts/unknown-parts.ts';
import { isOfRun } from '../../../run-paths.ts';
import type { PartRecord } from '../../records.ts';
import { readAside } from './read-aside.ts';

/** Names it; null if the run can go on. Call only if replies were lost: before the first there may be no pages. */
export function beyondResume(ledger: string): string | null {
  if (!isOfRun(ledger)) return null;
  const found = readAside(ledger, (database) => ({
    hasPages: database.prepare('select 1 from page limit 1').get() !== undefined,
    parts: database.prepare('select path, sha256 from part').all() as unknown as PartRecord[],
  }));
  if (found === null) return null;
  if (!found.hasPages) return 'the pages of its plan';
  return unknownParts(lockedManifest(dirname(ledger)), knownParts(found.parts)).length > 0
    ? 'its list of published tables'
    : null;
}
