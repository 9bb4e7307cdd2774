/** `manifest.json`, which describes a run. It is renamed into place last, and readers trust nothing else. */
import { z } from 'zod';
import { archiveParts } from './archive.ts';
import { specSchema } from './spec.ts';
import { judgingChange } from './spec/benchmark.ts';

const input = z.object({ file: z.string(), sha256: z.string() });

const versionsSchema = z.object({
  prompts: z.record(z.string(), z.string()),
  extractor: z.string(),
  /** By study, the rule that extracts code from its replies. */
  extraction: z.record(z.string(), z.string()).optional(),
  scorer: z.string(),
  /** Absent in runs of version 0.1. */
  tables: z.string().optional(),
  prices: z.string(),
});

const partSchema = z.object({
  path: z.string(),
  table: z.string(),
  page: z.string(),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  schemaVersion: z.int(),
  revision: z.int(),
  /** Of a merged part: the pages whose rows it holds, in that order, with the number of rows of each. */
  pages: z.record(z.string(), z.int()).optional(),
});

/** A file of parts, which never changes and is named by its SHA-256: `segments/<first twelve digits>.json`. */
const segmentSchema = input.extend({ parts: z.int() });

const missingTablesSchema = z.object({
  tables: z.array(z.string()),
  /** Names of the studies that they are of; none for tables of the whole run. */
  studies: z.array(z.string()),
  /** The first line of the fault. */
  reason: z.string(),
});

export const manifestSchema = z.object({
  /**
   * Raised only when older programs can no longer read the folder: 2 if there are segments, of which they know nothing.
   */
  formatVersion: z.union([z.literal(1), z.literal(2)]),
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
  /** File name of the spec, without the folder. */
  specFile: z.string().optional(),
  plan: z.array(
    input.extend({
      revision: z.int(),
      createdAt: z.string(),
      /** New pages and cells of this revision. */
      pages: z.int(),
      cells: z.int(),
      /** Pages of earlier revisions that it opens again, to ask more of their cells. */
      reopened: z.int().optional(),
      /** Program that planned this revision; absent in runs of version 0.1. */
      programVersion: z.string().optional(),
      versions: versionsSchema.optional(),
    }),
  ),
  /**
   * Normalised task records by benchmark name, with the hashes of the benchmark's file and of the files that joined
   * suites came from.
   */
  benchmarks: z.record(
    z.string(),
    input.extend({
      sourceSha256: z.string(),
      joinedSha256: z.record(z.string(), z.string()).optional(),
      tasks: z.int(),
      format: z.string(),
    }),
  ),
  /** By study, the tasks it excludes because their reference takes longer than its `maxReferenceMs`. */
  leftOut: z.record(z.string(), z.array(z.object({ taskId: z.string(), referenceMs: z.number() }))).optional(),
  /** The run's copies of recordings, by model id. */
  replays: z.record(
    z.string(),
    input.extend({
      /** True if a simulated model wrote any of its lines. */
      simulated: z.boolean().optional(),
      /** The user's file, as a path relative to the run's folder. */
      source: z.string().optional(),
      /**
       * Earlier copies, oldest first; each copy adds replies to the one before.
       * The first one's SHA-256 is in the run's call keys.
       */
      earlier: z.array(input.extend({ replacedAt: z.string() })).optional(),
    }),
  ),
  versions: versionsSchema,
  /** Only in a run that judges another run's replies again; it makes no calls. */
  rescored: z
    .object({
      run: z.string(),
      uuid: z.string(),
      /** The run that asked, where the other one is a rescored run too. */
      asked: z.object({ run: z.string(), uuid: z.string() }).optional(),
      /** The extraction rule of all studies; own: each study has that of the other run. */
      extraction: z.string(),
      /** What of the rule for limits and missing packages differs. */
      judging: judgingChange.optional(),
      /** The suites that were named. */
      suites: z.array(z.string()).optional(),
      /** Rows of the other run's table `verdicts`: Parquet, or JSON lines; absent in runs of version 0.1. */
      verdicts: input.optional(),
    })
    .optional(),
  /** Only in a folder that `archive` made: its paths are the last names of the run's. */
  archive: z
    .object({
      programVersion: z.string(),
      /** Empty for a whole archive, which can be resumed. */
      without: z.array(z.enum(archiveParts)),
      /** Benchmarks whose tasks and tests are left out, with the reason. */
      dataSets: z.record(z.string(), z.string()),
      /** Files of the run that the archive lacks. */
      leftOut: z.array(z.string()),
    })
    .optional(),
  /**
   * Only in a copy that the run was moved away from: where to, the number of the move, and whether nothing of it is
   * missing. It can only be read.
   */
  moved: z.object({ to: z.string(), move: z.string(), ended: z.literal(true).optional() }).optional(),
  /** Only in a copy that the run is being moved to, until the other copy is marked as `moved`. */
  arriving: z.object({ from: z.string(), move: z.string() }).optional(),
  /** Derived tables whose computation failed, by what failed together; `resume` derives them again. */
  missingTables: z.array(missingTablesSchema).optional(),
  sandbox: z.object({ tier: z.string(), engine: z.string(), imageDigest: z.string() }),
  /**
   * SHA-256 of the ledger while no process works on the run, and of the reports in its folder; null while a finished
   * ledger is being changed.
   */
  seals: z.record(z.string(), z.string().nullable()).optional(),
  /** Hold all parts but those in `parts`; absent in a run of few parts. */
  segments: z.array(segmentSchema).optional(),
  parts: z.array(partSchema),
});

/** `manifest.json` as it is stored. */
export type ManifestFile = z.infer<typeof manifestSchema>;
export type MissingTables = z.infer<typeof missingTablesSchema>;
export type ManifestSegment = z.infer<typeof segmentSchema>;
/** A run's manifest with all its parts. */
export type Manifest = Omit<ManifestFile, 'segments'>;
