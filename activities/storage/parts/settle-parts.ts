/** Moves a run's files to where its ledger says, after a kill between registering and moving them. */
import { pathBefore } from '../../../domain/part-paths.ts';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { segmentFolder } from '../../../domain/manifest-segments.ts';
import { fileSha256 } from '../files/file-sha256.ts';
import { segmentNames } from '../manifest-file.ts';
import { isAsideOf, moveDurably } from '../files/durable-file.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { PartRecord } from '../ledger/records.ts';
import { setAside } from './parts.ts';

/**
 * Moves every registered part into place, replaced ones first. Returns the current parts that are neither in place nor
 * under a temporary name.
 */
export async function settleParts(
  runFolder: string,
  ledger: Pick<Ledger, 'parts' | 'supersededParts'>,
): Promise<PartRecord[]> {
  const superseded = await ledger.supersededParts();
  setAside(
    runFolder,
    superseded.map(({ path }) => pathBefore(path)),
  );
  const names = new Map<string, readonly string[]>();
  return (await ledger.parts()).filter(
    (part) => !existsSync(join(runFolder, part.path)) && !putInPlace(runFolder, part, names),
  );
}

/** False if no temporary file has its bytes. */
function putInPlace(runFolder: string, { path, sha256 }: PartRecord, names: Map<string, readonly string[]>): boolean {
  const folder = join(runFolder, dirname(path));
  const inFolder = names.get(folder) ?? (existsSync(folder) ? readdirSync(folder) : []);
  names.set(folder, inFolder);
  const aside = inFolder
    .filter((name) => isAsideOf(name, basename(path)))
    .find((name) => existsSync(join(folder, name)) && fileSha256(join(folder, name)) === sha256);
  if (aside === undefined) return false;
  moveDurably(join(folder, aside), join(runFolder, path));
  return true;
}

/**
 * Removes temporary files of killed attempts. Call as the run's owner, before its workers start
 * or after they have ended.
 */
export async function removeOrphans(
  runFolder: string,
  ledger: Pick<Ledger, 'parts' | 'withManifestLock'>,
  tableNames: readonly string[],
): Promise<void> {
  const known = new Set((await ledger.parts()).map(({ path }) => path));
  const orphans = tableNames.flatMap((table) =>
    filesIn(runFolder, table, true).filter((path) => isOrphan(path, known)),
  );
  // Writers of the run's small files hold the run's lock.
  await ledger.withManifestLock(async () => {
    const unfinished = ['', 'inputs']
      .flatMap((folder) => filesIn(runFolder, folder, false))
      .filter((path) => unfinishedName.test(path));
    for (const path of [...orphans, ...unfinished, ...unnamedSegments(runFolder)])
      rmSync(join(runFolder, path), { force: true });
  });
}

/** A kill may have come between writing a segment and the root that names it, or before an older one was removed. */
function unnamedSegments(runFolder: string): string[] {
  const named = segmentNames(runFolder);
  return filesIn(runFolder, segmentFolder, false).filter((path) => !named.has(path));
}

/** Paths within the run's folder. */
function filesIn(runFolder: string, folder: string, recursive: boolean): string[] {
  if (!existsSync(join(runFolder, folder))) return [];
  return readdirSync(join(runFolder, folder), { recursive, encoding: 'utf8' }).map((name) => join(folder, name));
}

/** Name of a part, published or not. */
const partName = /\.r\d+(?:\.[0-9a-f]{12})?\.parquet(?:\.\d+-\d+\.tmp)?$/;
const isOrphan = (path: string, known: ReadonlySet<string>): boolean => partName.test(path) && !known.has(path);

const unfinishedName = /^(?:manifest\.json|views\.sql|inputs\/.*|segments\/.*)\.\d+-\d+\.tmp$/;

/** Whether a path within a run's folder is a temporary name of a part or of one of its small files. */
export const isUnfinished = (path: string): boolean =>
  unfinishedName.test(path) || (partName.test(path) && path.endsWith('.tmp'));
