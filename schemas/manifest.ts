/** What a run is: written to `manifest.json`, renamed into place last, the only thing readers trust. */
import { z } from 'zod';
import { specSchema } from './spec.ts';

const input = z.object({ file: z.string(), sha256: z.string() });

const versionsSchema = z.object({
  prompts: z.record(z.string(), z.string()),
  extractor: z.string(),
  /** By study, the rule that takes code from its replies. */
  extraction: z.record(z.string(), z.string()).optional(),
  scorer: z.string(),
  /** Absent in runs of version 0.1. */
  tables: z.string().optional(),
  prices: z.string(),
});

export const manifestSchema = z.object({
  /** Raised only when an older program could no longer read the folder. */
  formatVersion: z.literal(1),
  programVersion: z.string(),
  uuid: z.string(),
  runId: z.string(),
  state: z.enum(['running', 'complete', 'incomplete']),
  /** Why the run is incomplete, for a person. */
  stateDetail: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  finishedAt: z.string().nullable(),
  spec: specSchema,
  /** The spec as the user wrote it. */
  specText: z.string(),
  /** The name of its file, without the folder. */
  specFile: z.string().optional(),
  plan: z.array(
    input.extend({
      revision: z.int(),
      createdAt: z.string(),
      pages: z.int(),
      cells: z.int(),
      /** What this revision was planned with; absent in runs of version 0.1. */
      programVersion: z.string().optional(),
      versions: versionsSchema.optional(),
    }),
  ),
  /** Normalised task records by benchmark name, with the hash of the file they came from, and of the files that suites were joined from. */
  benchmarks: z.record(
    z.string(),
    input.extend({
      sourceSha256: z.string(),
      joinedSha256: z.record(z.string(), z.string()).optional(),
      tasks: z.int(),
      format: z.string(),
    }),
  ),
  /** By study, tasks that it leaves out since their reference takes longer than its `maxReferenceMs`. */
  leftOut: z.record(z.string(), z.array(z.object({ taskId: z.string(), referenceMs: z.number() }))).optional(),
  /** The run's copies of recordings, by model id. */
  replays: z.record(
    z.string(),
    input.extend({
      /** True when a line of it was said by a simulated model. */
      simulated: z.boolean().optional(),
      /** The user's file, by its path from the run's folder. */
      source: z.string().optional(),
      /** Copies before this one, oldest first, each of which the next adds replies to. The first one's SHA-256 is in the run's call keys. */
      earlier: z.array(input.extend({ replacedAt: z.string() })).optional(),
    }),
  ),
  versions: versionsSchema,
  /** Of a run that was made from another's replies, to judge them under another rule of extraction: it asks nobody. */
  rescored: z
    .object({
      run: z.string(),
      uuid: z.string(),
      extraction: z.string(),
      /** That run's rows of `verdicts`, a JSON object a line; absent in runs that version 0.1 made. */
      verdicts: input.optional(),
    })
    .optional(),
  sandbox: z.object({ tier: z.string(), engine: z.string(), imageDigest: z.string() }),
  /** SHA-256 of the ledger, when the run is at rest, and of the reports in its folder; null when a ledger at rest is being changed. */
  seals: z.record(z.string(), z.string().nullable()).optional(),
  parts: z.array(
    z.object({
      path: z.string(),
      table: z.string(),
      page: z.string(),
      rows: z.int(),
      bytes: z.int(),
      sha256: z.string(),
      schemaVersion: z.int(),
      revision: z.int(),
    }),
  ),
});

export type Manifest = z.infer<typeof manifestSchema>;
