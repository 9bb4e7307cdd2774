/** Changes a run's manifest while holding its lock. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { RunHome } from './home/run-home.ts';
import { refuseElsewhere } from './catalog/run-catalog.ts';
import { FencedError } from './ledger/fence.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { PartRecord } from './ledger/records.ts';
import type { PartsChange } from './parts/publisher.ts';
import { type KnownParts, unknownParts } from './parts/unknown-parts.ts';

/**
 * Reads, changes and writes the manifest while no other process does. Returns the written manifest. Rejects with
 * `InputError` for a copy of a run that goes on elsewhere.
 */
export const updateManifest = (home: RunHome, change: (manifest: Manifest) => Manifest): Promise<Manifest> =>
  home.withManifestLock(() =>
    home.changeManifest((manifest) => {
      refuseElsewhere(manifest.runId, manifest);
      return change(manifest);
    }),
  );

/** Adds the ledger's parts to the manifest. Readers see a part only after that. */
export const publishManifest = (home: RunHome, ledger: Ledger): Promise<void> =>
  ledger.withManifestLock(async () => {
    const known = await partsOf(ledger);
    await home.changeManifest((manifest) => ({ ...manifest, parts: grownParts(home, manifest, known) }));
  });

/**
 * Makes the manifest have changes that this process has made, without reading all parts of the ledger: whoever opens or
 * finishes the run publishes those of a process that was killed.
 */
export async function publishChange(home: RunHome, ledger: Ledger, change: PartsChange | 'all'): Promise<void> {
  if (change === 'all') return publishManifest(home, ledger);
  const added = change.added.map(({ path }) => path);
  const changed = new Set([...change.removed, ...added]);
  await ledger.withManifestLock(async () => {
    // Another process may have merged some of them since.
    const current = await ledger.currentPaths(added);
    await home.changeManifest((manifest) => ({
      ...manifest,
      parts: [
        ...manifest.parts.filter(({ path }) => !changed.has(path)),
        ...change.added.filter(({ path }) => current.has(path)),
      ],
    }));
  });
}

/** Leaves out registered parts that are not in place yet: whoever moves them publishes again. */
function grownParts({ folder, parts }: RunHome, manifest: Manifest, known: KnownParts<PartRecord>): Manifest['parts'] {
  const [dropped] = unknownParts(manifest, known);
  if (dropped !== undefined) throw new Error(`${folder}: ${dropped}: manifest and ledger belong to different runs`);
  const published = new Set(manifest.parts.map(({ path }) => path));
  return known.parts.filter(({ path }) => published.has(path) || parts.isInPlace(path));
}

export const partsOf = async (ledger: Pick<Ledger, 'parts' | 'supersededParts'>): Promise<KnownParts<PartRecord>> => ({
  parts: await ledger.parts(),
  supersededParts: await ledger.supersededParts(),
});

/** Sets the run's state; any state other than `running` sets the finish time. */
export async function setRunState(home: RunHome, state: Manifest['state'], stateDetail: string | null): Promise<void> {
  await updateManifest(home, (manifest) => withState(manifest, state, stateDetail));
}

/** The state of a run that nobody works on after a user stopped it; it may have become complete just before. */
export async function stopUnlessComplete(home: RunHome, detail: string): Promise<void> {
  await updateManifest(home, (manifest) =>
    manifest.state === 'complete' ? manifest : withState(manifest, 'incomplete', detail),
  );
}

/** Result of a sweep: which revisions of the plan it knew, and why it is incomplete (null if it is complete). */
export interface SweepEnding {
  readonly planRevisions: number;
  /** Of a plan that has grown. Default: no. */
  readonly hasOpenPages?: boolean;
  readonly reason: string | null;
}

/**
 * Records the end of a sweep under `epoch`: complete, or incomplete because of `reason`; still running if the plan has
 * grown meanwhile. Throws `FencedError` if a newer owner has taken the run.
 */
export const finishRun = (
  home: RunHome,
  ledger: Ledger,
  epoch: number,
  { planRevisions, hasOpenPages = false, reason }: SweepEnding,
): Promise<void> =>
  ledger.withManifestLock(async () => {
    refuseOldEpoch(await ledger.currentEpoch(), epoch);
    await home.changeManifest((manifest) => {
      const done = hasOpenPages || manifest.plan.length > planRevisions ? 'running' : 'complete';
      return withState(manifest, reason === null ? done : 'incomplete', reason);
    });
  });

function refuseOldEpoch(current: number, epoch: number): void {
  if (epoch !== current) throw new FencedError(`epoch ${epoch} may not end the run, which is now at epoch ${current}`);
}

function withState(manifest: Manifest, state: Manifest['state'], stateDetail: string | null): Manifest {
  return { ...manifest, state, stateDetail, finishedAt: state === 'running' ? null : new Date().toISOString() };
}
