/** Changes `manifest.json` while holding the run's lock. */
import { pathBefore } from '../../domain/part-paths.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../schemas/manifest.ts';
import { FencedError, type Ledger, type PartRecord } from './ledger/ledger.ts';
import { lockedManifest, writeManifest } from './manifest-file.ts';
import type { PartsChange } from './parts/publisher.ts';
import { withRunLock } from './run-lock.ts';
import { ledgerName, manifestPath } from './run-paths.ts';

/** Reads, changes and writes the manifest while no other process does. Returns the written manifest. */
export async function updateManifest(runFolder: string, change: (manifest: Manifest) => Manifest): Promise<Manifest> {
  return withRunLock(runFolder, () => changeManifest(runFolder, change));
}

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
export async function publishManifest(runFolder: string, ledger: Ledger): Promise<void> {
  ledger.exclusively(() =>
    changeManifest(runFolder, (manifest) => ({ ...manifest, parts: grownParts(runFolder, manifest, ledger) })),
  );
}

/**
 * Makes the manifest have changes that this process has made, without reading all parts of the ledger: whoever opens or
 * finishes the run publishes those of a process that was killed.
 */
export async function publishChange(runFolder: string, ledger: Ledger, change: PartsChange | 'all'): Promise<void> {
  if (change === 'all') return publishManifest(runFolder, ledger);
  const changed = new Set([...change.removed, ...change.added.map(({ path }) => path)]);
  ledger.exclusively(() =>
    changeManifest(runFolder, (manifest) => ({
      ...manifest,
      parts: [
        ...manifest.parts.filter(({ path }) => !changed.has(path)),
        // Another process may have merged some of them since.
        ...change.added.filter(({ path }) => ledger.hasPart(path)),
      ],
    })),
  );
}

/** Leaves out registered parts that are not in place yet: whoever moves them publishes again. */
function grownParts(runFolder: string, manifest: Manifest, ledger: Ledger): Manifest['parts'] {
  const [dropped] = unknownParts(manifest, ledger);
  if (dropped !== undefined)
    throw new Error(`${manifestPath(runFolder)}: ${dropped}: manifest and ledger belong to different runs`);
  const published = new Set(manifest.parts.map(({ path }) => path));
  return ledger.parts().filter(({ path }) => published.has(path) || existsSync(join(runFolder, path)));
}

/**
 * Parts of the manifest that the ledger lacks, or has with other bytes (in use or replaced). A part that only the
 * ledger has is just not published yet.
 */
export function unknownParts(manifest: Manifest, ledger: KnownParts): string[] {
  if (manifest.parts.length === 0) return [];
  const known = new Map(ledger.parts().map(({ path, sha256 }) => [path, sha256]));
  for (const { path, sha256 } of ledger.supersededParts())
    if (!known.has(pathBefore(path))) known.set(pathBefore(path), sha256);
  return manifest.parts
    .filter(({ path, sha256 }) => known.get(path) !== sha256)
    .map(
      ({ path, sha256 }) =>
        `${path} has SHA-256 ${sha256} in the manifest, ${known.get(path) ?? 'nothing'} in the ledger`,
    );
}

export interface KnownParts {
  parts(): readonly Pick<PartRecord, 'path' | 'sha256'>[];
  supersededParts(): readonly Pick<PartRecord, 'path' | 'sha256'>[];
}

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
export function finishRun(
  runFolder: string,
  ledger: Ledger,
  epoch: number,
  { planRevisions, reason }: SweepEnding,
): void {
  ledger.exclusively(() => {
    refuseOldEpoch(ledger, epoch);
    changeManifest(runFolder, (manifest) => {
      const done = manifest.plan.length > planRevisions ? 'running' : 'complete';
      return withState(manifest, reason === null ? done : 'incomplete', reason);
    });
  });
}

/** Call in a transaction: the epoch then cannot change before its end. */
export function refuseOldEpoch(ledger: Ledger, epoch: number): void {
  const current = ledger.currentEpoch();
  if (epoch !== current)
    throw new FencedError(`epoch ${epoch} may not write tables of the whole run, which is now at epoch ${current}`);
}

function withState(manifest: Manifest, state: Manifest['state'], stateDetail: string | null): Manifest {
  return { ...manifest, state, stateDetail, finishedAt: state === 'running' ? null : new Date().toISOString() };
}
