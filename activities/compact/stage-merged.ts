/** A merged part under a temporary name. */
import { pagePartStem } from '../../domain/part-paths.ts';
import type { Run } from '../runs/opened/run.ts';
import type { PartRecord } from '../storage/ledger/records.ts';
import type { StagedPart } from '../storage/parts/parts.ts';

/**
 * @param like its table, schema version and revision @param name of the merged part, like that of a page
 * @param pages whose rows the file holds, in that order
 */
export function stageMerged(
  run: Run,
  like: Pick<PartRecord, 'table' | 'schemaVersion' | 'revision'>,
  name: string,
  pages: Readonly<Record<string, number>>,
  bytes: Uint8Array,
): StagedPart {
  const { table, schemaVersion, revision } = like;
  const { study, model } = run.page(Object.keys(pages)[0] ?? '');
  const stem = pagePartStem(table, study.name, model, numberOf(name));
  const rows = Object.values(pages).reduce((sum, one) => sum + one, 0);
  return run.home.parts.stage(stem, { table, page: name, schemaVersion, revision, pages }, rows, bytes);
}

/** A page's name without study and model. */
export const numberOf = (page: string): string => page.slice(page.lastIndexOf('/') + 1);
