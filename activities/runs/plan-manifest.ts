/** The manifest entries that creating and extending a run write. */
import { canonicalJson } from '../../domain/ids.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { PlanRevision } from '../../schemas/plan.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { LeftOut, TimesOf } from './left-out.ts';
import type { LoadedBenchmark } from '../benchmarks/load.ts';
import type { FreshRecording } from './recordings.ts';
import type { RunHome } from '../storage/home/run-home.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import type { BlobStore } from '../storage/blobs/blob-store.ts';
import { putInput } from '../storage/blobs/run-blobs.ts';
import { madeBy } from './run-versions.ts';
import type { SpecFile, PlanOptions } from './plan-inputs.ts';

export interface PlannedRun {
  readonly home: RunHome;
  readonly manifest: Manifest;
  readonly ledger: Ledger;
  /** What this call did to the run. */
  readonly change: 'created' | 'extended' | 'unchanged';
  /** Recordings with added replies, which the run now has. */
  readonly grown: readonly FreshRecording[];
}

/** The manifest's fields that come from the spec. */
export const specOf = ({ spec, text, name }: SpecFile): Pick<Manifest, 'spec' | 'specText' | 'specFile'> => ({
  spec,
  specText: text,
  ...(name !== undefined && { specFile: name }),
});

export const recorded = (leftOut: LeftOut): Pick<Manifest, 'leftOut'> =>
  Object.keys(leftOut).length === 0 ? {} : { leftOut };

export function timesFor({ referenceTimes }: PlanOptions): TimesOf {
  if (referenceTimes !== undefined) return referenceTimes;
  return () =>
    Promise.reject(
      new Error('a study with maxReferenceMs needs the times of references, which this command does not measure'),
    );
}

/** @param earlier the revisions before it: a page that they have is reopened, and its cells are not new */
export async function putPlan(
  inputs: BlobStore,
  revision: PlanRevision,
  spec: Spec,
  earlier: readonly PlanRevision[] = [],
): Promise<Manifest['plan'][number]> {
  const known = new Set(earlier.flatMap(({ pages }) => pages.map(({ page }) => page)));
  const added = revision.pages.filter(({ page }) => !known.has(page));
  const reopened = revision.pages.length - added.length;
  return {
    ...(await putInput(inputs, canonicalJson(revision), 'json')),
    revision: revision.revision,
    createdAt: new Date().toISOString(),
    pages: added.length,
    cells: added.reduce((sum, page) => sum + page.cells.length, 0),
    ...(reopened > 0 && { reopened }),
    ...madeBy(spec),
  };
}

export async function putBenchmarks(
  inputs: BlobStore,
  { spec }: SpecFile,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Manifest['benchmarks']> {
  const entries = [...benchmarks].map(async ([name, { tasks, fileSha256, joinedSha256 }]) => {
    const lines = tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
    const format = spec.benchmarks[name]?.format ?? '';
    return [
      name,
      {
        ...(await putInput(inputs, lines, 'jsonl')),
        sourceSha256: fileSha256,
        joinedSha256,
        tasks: tasks.length,
        format,
      },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
