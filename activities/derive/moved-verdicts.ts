/** For a rescored run: the verdicts that differ from those of the original run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import { taskSlices } from '../../analysis/slices/task-slices.ts';
import { movedRows } from '../../domain/metrics/moved-rows.ts';
import { compareByColumns } from '../../domain/metrics/row-order.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import type { TableRows } from '../storage/parts/encoded-tables.ts';
import type { DeriveOrder } from './source-tables.ts';

/** The original run's verdicts. */
interface Before {
  readonly suites: ReadonlySet<Row[string] | undefined>;
  rows(condition: string): Promise<readonly Row[]>;
  close(): void;
}

/**
 * No table for any other run, or if the original run's verdicts were not stored.
 * @param atATime verdicts of either run that are compared at a time
 */
export async function movedTable(order: DeriveOrder, database: RunDatabase, atATime?: number): Promise<TableRows> {
  const [manifest] = database.manifests;
  const file = manifest?.rescored?.verdicts?.file;
  if (manifest === undefined || file === undefined) return {};
  const path = join(order.folder, file);
  const before = path.endsWith('.jsonl') ? fromLines(path) : await fromParquet(order, path);
  try {
    // A suite that only one of the runs has is no change of a verdict.
    const areShared = ({ suite }: Row): boolean => suites.has(suite) && before.suites.has(suite);
    const suites = await suitesOf(database);
    const moved: Row[] = [];
    for (const slice of path.endsWith('.jsonl') ? ['true'] : await taskSlices(database, 'true', atATime)) {
      const now = await records(database, `from verdicts where ${slice}`);
      const then = await before.rows(slice);
      moved.push(...movedRows(manifest.runId, then.filter(areShared), now.filter(areShared)));
    }
    return { moved_verdicts: moved.toSorted(compareByColumns(tables.moved_verdicts.key)) };
  } finally {
    before.close();
  }
}

const suitesOf = async (database: RunDatabase): Promise<ReadonlySet<Row[string] | undefined>> =>
  new Set((await records(database, 'select distinct suite from verdicts')).map(({ suite }) => suite));

/** Under the names of this run's table. */
async function fromParquet({ tables: run }: DeriveOrder, file: string): Promise<Before> {
  const database = await openRun(run, { isWanted: () => false, replaced: new Map([['verdicts', [file]]]) });
  return {
    suites: await suitesOf(database),
    rows: (condition) => records(database, `from verdicts where ${condition}`),
    close: () => database.close(),
  };
}

/** As earlier versions stored them. */
function fromLines(file: string): Before {
  const lines = readFileSync(file, 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
  return { suites: new Set(rows.map(({ suite }) => suite)), rows: async () => rows, close: () => undefined };
}
