/**
 * Moves a run between a folder of this machine and servers. After a kill at any step the same move goes on or begins
 * again, and at no time can both copies be continued:
 *
 * 1. The run is copied, and the copy says that it is `arriving`: nothing continues it.
 * 2. The run says that it was `moved`: from then on nothing continues it here, and no step of an older owner counts.
 * 3. The copy does not say `arriving` any more.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { InputError } from '../../../domain/errors.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { refuseArchived } from '../../storage/archived.ts';
import { type RunCatalog, refuseElsewhere } from '../../storage/catalog/run-catalog.ts';
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
 * has at the target; `CorruptionError` for a damaged file.
 */
export async function moveRun(id: string, from: Place, to: Place): Promise<Moved> {
  const { home, folder, manifest: found } = await from.catalog.find(id);
  refuseArchived(folder, found);
  if (found.arriving !== undefined) refuseElsewhere(id, found);
  const owned = await from.catalog.ownership(id).take();
  if (owned === null)
    throw new InputError(`run "${id}" is active: wait until it has ended, or pause it first: evenkeel pause ${id}`);
  try {
    const manifest = await home.manifest();
    if (manifest.moved !== undefined) return await settle(id, manifest, to);
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
  await copyRun(id, home, to.catalog, (manifest) => ({ ...manifest, arriving: { from: from.name, move } }));
  faultPoint();
  await changed(home, (old) => ({ ...old, moved: { to: to.name, move }, stateDetail: `moved to ${to.name}` }));
  faultPoint();
  await arrive(id, to);
}

async function settle(id: string, { uuid, moved: mark, ...manifest }: Manifest, to: Place): Promise<Moved> {
  const there = (await to.catalog.has(id)) ? await to.catalog.home(id).manifest() : null;
  if (mark?.to !== to.name || there?.uuid !== uuid)
    refuseElsewhere(id, { ...manifest, uuid, ...(mark && { moved: mark }) });
  if (there?.arriving === undefined) return 'there';
  await arrive(id, to);
  return 'settled';
}

async function arrive(id: string, { catalog }: Place): Promise<void> {
  await changed(catalog.home(id), ({ arriving: _arriving, ...manifest }) => manifest);
}

/** `updateManifest` refuses to change a run with one of the marks. */
const changed = (home: RunHome, change: (manifest: Manifest) => Manifest): Promise<Manifest> =>
  home.withManifestLock(() => home.changeManifest(change));
