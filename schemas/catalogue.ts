/** What is known of a public benchmark: where it lies, its licence, its checksum, and the tasks whose reference fails their own tests. */
import { z } from 'zod';
import { benchmarkFormatNames } from './spec/benchmark.ts';

export const catalogueEntrySchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  format: z.enum(benchmarkFormatNames),
  tasks: z.int(),
  /** Holds tests only, for the tasks of this other benchmark. */
  joins: z.string().optional(),
  licence: z.string(),
  /** Who publishes it. */
  source: z.string(),
  file: z.strictObject({ name: z.string(), url: z.url(), bytes: z.int(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  /** By suite and reason: numbers of the tasks whose reference fails, as measured in the embedded sandbox. */
  failing: z.record(z.string(), z.record(z.string(), z.array(z.int()))),
});
export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>;
