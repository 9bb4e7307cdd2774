/** Which runs a store has, and who owns each: a seam with one contract (test/contract/stores). */
import { InputError } from '../../../domain/errors.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Dump } from '../ledger/dump.ts';
import type { RunHome } from '../home/run-home.ts';

export interface FoundRun {
  readonly home: RunHome;
  /** The home's. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface RunCatalog {
  /** Ids of all runs, in no order. */
  ids(): Promise<readonly string[]>;
  has(id: string): Promise<boolean>;
  /** Ids of what is a run by what it holds, but cannot be found: `find` says why. */
  brokenIds(): Promise<readonly string[]>;
  /** Throws `InputError` for an unknown run, with the nearest known id. */
  find(id: string): Promise<FoundRun>;
  /**
   * As `find`, for commands that change the run. Throws `InputError` for a copy under another id: a run is found by its
   * id, so a copy may only be read.
   */
  findToChange(id: string): Promise<FoundRun>;
  /** Of a run that exists; nothing is read yet. */
  home(id: string): RunHome;
  /**
   * Creates a run completely or not at all. Throws `InputError` if it exists, even if another process creates it at the
   * same time.
   * @param fill stores the inputs, and returns the manifest
   */
  create(id: string, fill: (inputs: BlobStore) => Promise<Manifest>): Promise<Manifest>;
  ownership(id: string): Ownership;
  /**
   * Creates a run from one of another store. It may be incomplete after a crash, so its manifest must refuse whoever
   * would continue it (`arriving`). Throws `InputError` if a run of that name exists.
   * @param fill stores the files, and returns the manifest
   */
  receive(id: string, fill: (files: BlobStore) => Promise<Manifest>, ledger: () => Dump): Promise<void>;
  /** Removes a run that nothing works on, whole or in parts. Does nothing if there is none. */
  remove(id: string): Promise<void>;
}

/** Of one run, by one process at a time, or by a detached sweep, which needs none. */
export interface Ownership {
  /**
   * Makes this process the owner; null if another live process owns the run, or this one already does, or a detached
   * sweep does.
   */
  take(options?: TakeOptions): Promise<Owned | null>;
  /** Whether a live process or a detached sweep owns the run. False for a run that does not exist. */
  isOwned(): Promise<boolean>;
  /** Whether a detached sweep owns the run. */
  isDetached(): Promise<boolean>;
  /** Tells that the sweep of this epoch has ended: if it was detached, the run has no owner from then on. */
  endDetached(epoch: number): Promise<void>;
}

export interface TakeOptions {
  /** Whether to take the run from a detached sweep, too. Default: no. */
  readonly fromDetached?: boolean;
}

/** It ends with its process, for whatever reason that ends. */
export interface Owned {
  release(): Promise<void>;
  /**
   * Leaves the run to its sweep of this epoch. Throws `InputError` for a run in a folder, whose workers end with the
   * process that started them, and if another process has taken the run meanwhile.
   */
  detach(epoch: number): Promise<void>;
}

/**
 * Why a run that another process owns cannot be used now. Only a run that goes on can be paused: that of another state
 * is held by a command.
 */
export const ownedText = (id: string, { state }: Pick<Manifest, 'state'>, whileRunning: string): string =>
  state === 'running'
    ? `run "${id}" is active: ${whileRunning}`
    : `run "${id}" is ${state}, and another command works on it now, such as archive, gc, verify --repair or ` +
      '`store move`: wait until that has ended';

/** Throws `InputError` for a copy of a run that goes on elsewhere. */
export function refuseElsewhere(id: string, { moved, arriving }: Manifest): void {
  if (moved !== undefined)
    throw new InputError(`run "${id}" was moved to ${moved.to}: continue it there; this copy can only be read`);
  if (arriving !== undefined)
    throw new InputError(
      `run "${id}" is being moved here from ${arriving.from}: repeat the move, which goes on where it was stopped`,
    );
}

/** Throws `InputError` for a copy under another id than its own, or of a run that goes on elsewhere. */
export function refuseCopy(id: string, found: FoundRun, remedy: string): FoundRun {
  const { runId } = found.manifest;
  refuseElsewhere(id, found.manifest);
  if (runId === id) return found;
  throw new InputError(`holds run "${runId}", which can be changed only under its own name: ${remedy}`, {
    file: found.folder,
  });
}
