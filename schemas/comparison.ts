/** The file that lists the tables of a saved comparison, with their SHA-256. */
import { z } from 'zod';
import { comparisonTables } from './tables/comparison.ts';

export const comparisonFile = 'comparison.json';

export const savedComparisonSchema = z.object({
  formatVersion: z.literal(1),
  programVersion: z.string(),
  createdAt: z.iso.datetime(),
  /** Runs that were compared. */
  runs: z.array(z.string()),
  tables: z.array(
    z.object({
      table: z.enum(Object.keys(comparisonTables) as [keyof typeof comparisonTables]),
      file: z.string().regex(/^[a-z_]+\.parquet$/),
      rows: z.int(),
      sha256: z.string(),
    }),
  ),
});

export type SavedComparison = z.infer<typeof savedComparisonSchema>;
