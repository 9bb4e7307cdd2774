/** Reads bench/results/tables/: one file for each block of measured tables in a page of docs/. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';

const text = z.string().min(1);

const measurement = z.strictObject({
  /** Null if the day was not recorded. */
  date: z.iso.date().nullable(),
  /** A key of machines.json; null if not recorded. */
  machine: text.nullable(),
  /** Null if not recorded. */
  commit: text.nullable(),
  /** Null if not recorded. */
  command: text.nullable(),
  /** How many sets or gates were simulated. */
  size: text.optional(),
  note: text.optional(),
  /** Cells as they are shown. */
  rows: z.array(z.array(text)).min(1),
});

const table = z
  .strictObject({
    /** Unique in its file. */
    title: text,
    method: text.optional(),
    /** Without columns it is a list, with one entry a row. */
    columns: z.array(text).min(1).optional(),
    /** Oldest first; the last one is current. */
    measurements: z.array(measurement).min(1),
  })
  .superRefine(({ title, columns, measurements }, context) => {
    const cells = columns?.length ?? 1;
    const wrong = measurements.flatMap(({ rows }) => rows).find((row) => row.length !== cells);
    if (wrong === undefined) return;
    context.addIssue(`${title}: each row must have one cell for each of ${cells} columns, got ${wrong.join(' | ')}`);
  });

export const tablesSchema = z.strictObject({ tables: z.array(table).min(1) });

export type TableMeasurement = z.infer<typeof measurement>;
export type MeasuredTable = z.infer<typeof table>;

export const tablesFolder = join(import.meta.dirname, '../results/tables');

/** By name of the file, which is the name of the block. */
export const readMeasuredTables = (folder = tablesFolder): ReadonlyMap<string, readonly MeasuredTable[]> =>
  new Map(
    readdirSync(folder)
      .sort()
      .map((file) => [
        basename(file, '.json'),
        tablesSchema.parse(JSON.parse(readFileSync(join(folder, file), 'utf8'))).tables,
      ]),
  );

export function lastMeasurement({ title, measurements }: MeasuredTable): TableMeasurement {
  const last = measurements.at(-1);
  if (last === undefined) throw new Error(`${title}: no measurement`);
  return last;
}
