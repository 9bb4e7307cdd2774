/** Changes `manifest.json` while holding the run's lock. */
import { pathBefore } from '../../domain/part-paths.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../schemas/manifest.ts';
import { FencedError } from './ledger/fence.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { PartRecord } from './ledger/records.ts';
import { lockedManifest, writeManifest } from './manifest-file.ts';
import type { PartsChange } from './parts/publisher.ts';
import { withRunLock } from './run-lock.ts';
import { ledgerName, manifestPath } from './run-paths.ts';

/** Reads, changes and writes the manifest while no other process does. Returns the written manifest. */
export const updateManifest = (runFolder: string, change: (manifest: Manifest) => Manifest): Promise<Manifest> =>
  withRunLock(runFolder, async () => changeManifest(runFolder, change));

/** Like `updateManifest`, for callers that hold the run's lock. */
export function changeManifest(runFolder: string, change: (manifest: Manifest) => Manifest): Manifest {
  const old = lockedManifest(runFolder);
  const changed = { ...withoutStaleSeal(change(old)), updatedAt: new Date().toISOString() };
  writeManifest(runFolder, changed);
  return changed;
}

/** The ledger of a running run changes with every call, so it has no valid seal. */
const withoutStaleSeal = (manifest: Manifest): Manifest =>
  manifest.state === 'running' && manifest.seals !== undefined
    ? { ...manifest, seals: { ...manifest.seals, [ledgerName]: null } }
    : manifest;

/** Adds the ledger's parts to the manifest. Readers see a part only after that. */
export const publishManifest = (runFolder: string, ledger: Ledger): Promise<void> =>
  ledger.withManifestLock(async () => {
    const known = await partsOf(ledger);
    changeManifest(runFolder, (manifest) => ({ ...manifest, parts: grownParts(runFolder, manifest, known) }));
  });

/**
 * Makes the manifest have changes that this process has made, without reading all parts of the ledger: whoever opens or
 * finishes the run publishes those of a process that was killed.
 */
export async function publishChange(runFolder: string, ledger: Ledger, change: PartsChange | 'all'): Promise<void> {
  if (change === 'all') return publishManifest(runFolder, ledger);
  const added = change.added.map(({ path }) => path);
  const changed = new Set([...change.removed, ...added]);
  await ledger.withManifestLock(async () => {
    // Another process may have merged some of them since.
    const current = await ledger.currentPaths(added);
    changeManifest(runFolder, (manifest) => ({
      ...manifest,
      parts: [
        ...manifest.parts.filter(({ path }) => !changed.has(path)),
        ...change.added.filter(({ path }) => current.has(path)),
      ],
    }));
  });
}

/** Leaves out registered parts that are not in place yet: whoever moves them publishes again. */
function grownParts(runFolder: string, manifest: Manifest, known: KnownParts<PartRecord>): Manifest['parts'] {
  const [dropped] = unknownParts(manifest, known);
  if (dropped !== undefined)
    throw new Error(`${manifestPath(runFolder)}: ${dropped}: manifest and ledger belong to different runs`);
  const published = new Set(manifest.parts.map(({ path }) => path));
  return known.parts.filter(({ path }) => published.has(path) || existsSync(join(runFolder, path)));
}

/**
 * Parts of the manifest that the ledger lacks, or has with other bytes (in use or replaced). A part that only the
 * ledger has is just not published yet.
 */
export function unknownParts(manifest: Manifest, { parts, supersededParts }: KnownParts): string[] {
  const known = new Map(parts.map(({ path, sha256 }) => [path, sha256]));
  for (const { path, sha256 } of supersededParts) if (!known.has(pathBefore(path))) known.set(pathBefore(path), sha256);
  return manifest.parts
    .filter(({ path, sha256 }) => known.get(path) !== sha256)
    .map(
      ({ path, sha256 }) =>
        `${path} has SHA-256 ${sha256} in the manifest, ${known.get(path) ?? 'nothing'} in the ledger`,
    );
}

export interface KnownParts<Part = Pick<PartRecord, 'path' | 'sha256'>> {
  readonly parts: readonly Part[];
  readonly supersededParts: readonly Part[];
}

export const partsOf = async (ledger: Pick<Ledger, 'parts' | 'supersededParts'>): Promise<KnownParts<PartRecord>> => ({
  parts: await ledger.parts(),
  supersededParts: await ledger.supersededParts(),
});

/** Sets the run's state; any state other than `running` sets the finish time. */
export async function setRunState(
  runFolder: string,
  state: Manifest['state'],
  stateDetail: string | null,
): Promise<void> {
  await updateManifest(runFolder, (manifest) => withState(manifest, state, stateDetail));
}

/** Result of a sweep: which revisions of the plan it knew, and why it is incomplete (null if it is complete). */
export interface SweepEnding {
  readonly planRevisions: number;
  readonly reason: string | null;
}

/**
 * Records the end of a sweep under `epoch`: complete, or incomplete because of `reason`; still running if the plan has
 * grown meanwhile. Throws `FencedError` if a newer owner has taken the run.
 */
export const finishRun = (
  runFolder: string,
  ledger: Ledger,
  epoch: number,
  { planRevisions, reason }: SweepEnding,
): Promise<void> =>
  ledger.withManifestLock(async () => {
    refuseOldEpoch(await ledger.currentEpoch(), epoch);
    changeManifest(runFolder, (manifest) => {
      const done = manifest.plan.length > planRevisions ? 'running' : 'complete';
      return withState(manifest, reason === null ? done : 'incomplete', reason);
    });
  });

function refuseOldEpoch(current: number, epoch: number): void {
  if (epoch !== current) throw new FencedError(`epoch ${epoch} may not end the run, which is now at epoch ${current}`);
}

function withState(manifest: Manifest, state: Manifest['state'], stateDetail: string | null): Manifest {
  return { ...manifest, state, stateDetail, finishedAt: state === 'running' ? null : new Date().toISOString() };
}
