/**
 * Moves a run between a folder of this machine and servers. After a kill at any step the same move goes on or begins
 * again, and at no time can both copies be continued:
 *
 * 1. The run is copied, and the copy says that it is `arriving`: nothing continues it.
 * 2. The run says that it was `moved`: from then on nothing continues it here, and no step of an older owner counts.
 * 3. The copy does not say `arriving` any more.
 * 4. The run says that the move has ended: before that, its old copy is still needed.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { InputError } from '../../../domain/errors.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { refuseArchived } from '../../storage/archived.ts';
import { ownedText, type RunCatalog, refuseElsewhere } from '../../storage/catalog/run-catalog.ts';
import { faultPoint } from '../../storage/files/fault-point.ts';
import type { RunHome } from '../../storage/home/run-home.ts';
import { publishManifest } from '../../storage/manifest.ts';
import { copyRun } from './copy-run.ts';

export interface Place {
  readonly catalog: RunCatalog;
  /** For people, and in the marks of both copies: the same at each repetition. */
  readonly name: string;
}

/** `settled`: it had been copied before, and only the last step was missing. `there`: all was done before. */
export type Moved = 'moved' | 'settled' | 'there';

/**
 * Throws `InputError` for a run that a process works on, that was moved to another place, or whose name another run
 * has at the target; `CorruptionError` for a damaged file, and for a ledger that does not match its seal.
 */
export async function moveRun(id: string, from: Place, to: Place): Promise<Moved> {
  const { home, folder, manifest: found } = await from.catalog.find(id);
  refuseArchived(folder, found);
  if (found.arriving !== undefined) refuseElsewhere(id, found);
  const owned = await from.catalog.ownership(id).take();
  if (owned === null)
    throw new InputError(ownedText(id, found, `wait until it has ended, or pause it first: evenkeel pause ${id}`));
  try {
    const manifest = await home.manifest();
    if (manifest.moved !== undefined) return await settle(manifest, manifest.moved, home, to);
    home.seals.refuseBroken(manifest);
    await makeRoom(id, manifest, to);
    await bringToRest(home, manifest);
    await moved(id, home, from, to);
    return 'moved';
  } finally {
    await owned.release();
  }
}

/** What an earlier move has left is removed: this copy has what counts. */
async function makeRoom(id: string, { uuid }: Manifest, { catalog, name }: Place): Promise<void> {
  if (!(await catalog.has(id))) return;
  const there = await catalog.home(id).manifest();
  const isLeft = there.uuid === uuid && (there.arriving !== undefined || there.moved !== undefined);
  if (!isLeft)
    throw new InputError(`${name} has a run "${id}" already: a run is moved only to where no run has its name`);
  await catalog.remove(id);
}

/** As at the start of a run: calls in flight of killed processes are lost, and all tables are in the manifest. */
async function bringToRest(home: RunHome, manifest: Manifest): Promise<void> {
  if (manifest.state === 'complete') return;
  const ledger = await home.openLedger(manifest);
  try {
    await ledger.takeOver(`move by ${hostname()}/${process.pid}`);
    await home.parts.settle(ledger);
    await publishManifest(home, ledger);
  } finally {
    await ledger.close();
  }
}

async function moved(id: string, home: RunHome, from: Place, to: Place): Promise<void> {
  const move = randomUUID();
  const copied = await copyRun(id, home, to.catalog, { from: from.name, move });
  faultPoint();
  await changed(home, (old) => {
    refuseChanged(id, from, old, copied);
    return { ...old, moved: { to: to.name, move }, stateDetail: `moved to ${to.name}` };
  });
  faultPoint();
  await arrive(id, to, move);
  await ended(home);
}

/** Not all changes need a run's owner: its budget may be changed at any time. */
function refuseChanged(id: string, { name }: Place, now: Manifest, copied: Manifest): void {
  if (now.updatedAt !== copied.updatedAt)
    throw new InputError(`run "${id}" was changed while it was copied, and stays in ${name}: repeat the move`);
}

async function settle(
  manifest: Manifest,
  mark: NonNullable<Manifest['moved']>,
  home: RunHome,
  to: Place,
): Promise<Moved> {
  const { runId: id, uuid } = manifest;
  const there = (await to.catalog.has(id)) ? await to.catalog.home(id).manifest() : null;
  // A run that went on from there is asked for at its new place.
  if (mark.to !== to.name || there?.uuid !== uuid || there.moved !== undefined) refuseElsewhere(id, manifest);
  const isThere = there?.arriving === undefined;
  if (!isThere) await arrive(id, to, mark.move);
  await ended(home);
  return isThere ? 'there' : 'settled';
}

async function ended(home: RunHome): Promise<void> {
  faultPoint();
  await changed(home, ({ moved: mark, ...manifest }) => ({
    ...manifest,
    ...(mark && { moved: { ...mark, ended: true as const } }),
  }));
}

/** Throws `InputError` for a copy that another move has made meanwhile: it may be older. */
async function arrive(id: string, { catalog, name }: Place, move: string): Promise<void> {
  await changed(catalog.home(id), ({ arriving, ...manifest }) => {
    if (arriving?.move !== move)
      throw new InputError(`another copy of run "${id}" has arrived in its place in ${name}: repeat the move`);
    return manifest;
  });
}

/** `updateManifest` refuses to change a run with one of the marks. */
const changed = (home: RunHome, change: (manifest: Manifest) => Manifest): Promise<Manifest> =>
  home.withManifestLock(() => home.changeManifest(change));
