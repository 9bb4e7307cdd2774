import type { PartRecord } from './records.ts';

/**
 * Whether the plan asks more of a page than these parts of it were written for: the run was extended while its sweep
 * went on. Without parts, nothing is known of that.
 * @param revision of the plan that the page has in the ledger
 */
export const isOutgrown = (parts: readonly Pick<PartRecord, 'revision'>[], revision: number): boolean =>
  parts.length > 0 && parts.every((part) => part.revision < revision);
