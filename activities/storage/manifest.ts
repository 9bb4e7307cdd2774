/** `manifest.json`: read by everybody, changed under the run's lock, always whole. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../domain/errors.ts';
import { manifestSchema } from '../../schemas/manifest.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { CorruptionError } from './corruption.ts';
import { writeFileDurably } from './durable-file.ts';
import { FencedError, type Ledger } from './ledger.ts';
import { ledgerName, withRunLock } from './run-lock.ts';

const readableFormat = 1;

export const manifestPath = (runFolder: string): string => join(runFolder, 'manifest.json');

/** Throws `InputError` when a newer program wrote it and when it is damaged; ENOENT when the folder is no run. */
export const readManifest = async (runFolder: string): Promise<Manifest> =>
  parseManifest(runFolder, await readFile(manifestPath(runFolder), 'utf8'));

function parseManifest(runFolder: string, text: string): Manifest {
  const json = parseJson(runFolder, text);
  refuseOtherFormat(runFolder, json);
  const { success, data, error } = manifestSchema.safeParse(json);
  if (success) return data;
  throw new InputError(`damaged or changed by hand: ${z.prettifyError(error)}`, { file: manifestPath(runFolder) });
}

function parseJson(runFolder: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError(`not JSON: ${String(cause)}`, { file: manifestPath(runFolder) });
  }
}

function refuseOtherFormat(runFolder: string, json: unknown): void {
  const format = (json as { formatVersion?: unknown } | null)?.formatVersion;
  if (format === readableFormat) return;
  throw new InputError(
    `run format ${String(format)}; this program reads format ${readableFormat}: update it (npm install -g evenkeel@latest) and try again`,
    {
      file: manifestPath(runFolder),
    },
  );
}

/** As `readManifest`, to go on with the run. Throws `CorruptionError` too where the file does not have its SHA-256. */
export const readManifestToGoOn = async (runFolder: string): Promise<Manifest> =>
  parseWholeManifest(runFolder, await readFile(manifestPath(runFolder), 'utf8'));

/** Whatever is written next gets a seal of its own, so that a wrong one is seen now or never. Older programs wrote none. */
function parseWholeManifest(runFolder: string, text: string): Manifest {
  const manifest = parseManifest(runFolder, text);
  if (isWhole(text) || !('sha256' in (JSON.parse(text) as object))) return manifest;
  throw new CorruptionError(manifestPath(runFolder), 'does not have its SHA-256: damaged or changed by hand', 'put it back from a copy');
}

export function writeManifest(runFolder: string, manifest: Manifest): void {
  writeFileDurably(manifestPath(runFolder), new TextEncoder().encode(sealed(JSON.stringify(manifest, null, 2).slice(0, -'\n}'.length))));
}

const seal = ',\n  "sha256": "';
/** The text of the file: the manifest's fields and, last, the SHA-256 of the text before it. */
const sealed = (fields: string): string => `${fields}${seal}${createHash('sha256').update(fields).digest('hex')}"\n}\n`;

/** Whether every byte of the file is as it was written. */
export const manifestIsWhole = async (runFolder: string): Promise<boolean> => isWhole(await readFile(manifestPath(runFolder), 'utf8'));

const isWhole = (text: string): boolean => text === sealed(text.slice(0, Math.max(0, text.lastIndexOf(seal))));

/** Reads, changes and writes the manifest while no other process does. Gives back what was written. */
export async function updateManifest(runFolder: string, change: (manifest: Manifest) => Manifest): Promise<Manifest> {
  return withRunLock(runFolder, () => changeManifest(runFolder, change));
}

/** As `updateManifest`, for who has the run's lock. */
export function changeManifest(runFolder: string, change: (manifest: Manifest) => Manifest): Manifest {
  const old = parseWholeManifest(runFolder, readFileSync(manifestPath(runFolder), 'utf8'));
  const changed = { ...withoutStaleSeal(change(old)), updatedAt: new Date().toISOString() };
  writeManifest(runFolder, changed);
  return changed;
}

/** The ledger of a run that is running changes with every call. */
const withoutStaleSeal = (manifest: Manifest): Manifest =>
  manifest.state === 'running' && manifest.seals !== undefined
    ? { ...manifest, seals: { ...manifest.seals, [ledgerName]: null } }
    : manifest;

/** Brings the ledger's parts into the manifest. Readers see a part only from here on; the list never loses one. */
export async function publishManifest(runFolder: string, ledger: Ledger): Promise<void> {
  ledger.exclusively(() => changeManifest(runFolder, (manifest) => ({ ...manifest, parts: grownParts(runFolder, manifest, ledger) })));
}

function grownParts(runFolder: string, manifest: Manifest, ledger: Ledger): Manifest['parts'] {
  const parts = ledger.parts();
  const paths = new Set(parts.map(({ path }) => path));
  const dropped = manifest.parts.find(({ path }) => !paths.has(path));
  if (dropped === undefined) return parts;
  throw new Error(`${manifestPath(runFolder)} lists ${dropped.path}, which its ledger does not know: manifest and ledger are of two runs`);
}

/** A run that is running is not finished; any other state finishes it now. */
export async function setRunState(runFolder: string, state: Manifest['state'], stateDetail: string | null): Promise<void> {
  await updateManifest(runFolder, (manifest) => withState(manifest, state, stateDetail));
}

/** What a sweep came to: which part of the plan it knew, and why not all of that is done (null when it is). */
export interface SweepEnding {
  readonly planRevisions: number;
  readonly reason: string | null;
}

/**
 * The end of a sweep under `epoch`: complete, or incomplete because of `reason`; still running when the plan has grown meanwhile. Throws
 * `FencedError` when a newer owner has taken the run.
 */
export function finishRun(runFolder: string, ledger: Ledger, epoch: number, { planRevisions, reason }: SweepEnding): void {
  ledger.exclusively(() => {
    refuseOldEpoch(ledger, epoch);
    changeManifest(runFolder, (manifest) => {
      const done = manifest.plan.length > planRevisions ? 'running' : 'complete';
      return withState(manifest, reason === null ? done : 'incomplete', reason);
    });
  });
}

/** Nothing changes the epoch between this and the end of the transaction that it is called in. */
export function refuseOldEpoch(ledger: Ledger, epoch: number): void {
  const current = ledger.currentEpoch();
  if (epoch !== current) throw new FencedError(`epoch ${epoch} may not write for the whole run: it is at epoch ${current}`);
}

function withState(manifest: Manifest, state: Manifest['state'], stateDetail: string | null): Manifest {
  return { ...manifest, state, stateDetail, finishedAt: state === 'running' ? null : new Date().toISOString() };
}
