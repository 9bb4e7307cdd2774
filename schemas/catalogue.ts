/**
 * Facts about a public benchmark: its address, licence and checksum, and the tasks whose reference fails its own tests.
 */
import { z } from 'zod';
import { benchmarkFormatNames } from './spec/benchmark.ts';

export const catalogueEntrySchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  format: z.enum(benchmarkFormatNames),
  tasks: z.int(),
  /** Name of another benchmark, for whose tasks this file holds only tests. */
  joins: z.string().optional(),
  licence: z.string(),
  /** Whether the licence permits anyone to pass the file on. */
  redistributable: z.boolean(),
  /** Publisher. */
  source: z.string(),
  file: z.strictObject({ name: z.string(), url: z.url(), bytes: z.int(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** By suite, then reason: the numbers in the ids of tasks whose reference fails, measured in the embedded sandbox. */
  failing: z.record(z.string(), z.record(z.string(), z.array(z.int()))),
});
export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>;
