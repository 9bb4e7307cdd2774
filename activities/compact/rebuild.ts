/** Builds merged parts again from the ledger, as the pages that they hold are built. */
import { type Row, type TableName, tables } from '../../schemas/tables.ts';
import { type PageRows, pageRows } from '../rows/page-rows.ts';
import type { Run } from '../runs/opened/run.ts';
import type { PartRecord } from '../storage/ledger/records.ts';
import { mergeFiles } from '../storage/parts/merge-files.ts';
import { encodeTable } from '../storage/parts/parquet.ts';
import type { StagedPart } from '../storage/parts/parts.ts';
import { stageMerged } from './stage-merged.ts';

export interface RebuiltPart {
  readonly part: PartRecord;
  readonly staged: StagedPart;
}

/** Throws if the ledger cannot reproduce a page. @param parts merged parts of one lane */
export async function rebuiltMerged(run: Run, parts: readonly PartRecord[]): Promise<RebuiltPart[]> {
  const rows = new Map<string, PageRows>();
  for (const page of new Set(parts.flatMap(pagesOf))) rows.set(page, await pageRows(run.page(page)));
  return parts.map((part) => {
    const table = part.table as TableName;
    const ofPages = pagesOf(part).map((page) => [page, rows.get(page)?.[table] ?? []] as const);
    const files = ofPages.map(([, own]) => encodeTable(tables[table], own));
    const merged = mergeFiles({ name: table, schemaVersion: part.schemaVersion }, files);
    if (merged === null) throw new Error(`pages of table ${table} have different columns`);
    return { part, staged: stageMerged(run, part, part.page, counts(ofPages), merged) };
  });
}

const pagesOf = ({ pages = {} }: PartRecord): string[] => Object.keys(pages);

const counts = (ofPages: readonly (readonly [string, readonly Row[]])[]): Record<string, number> =>
  Object.fromEntries(ofPages.map(([page, rows]) => [page, rows.length]));
