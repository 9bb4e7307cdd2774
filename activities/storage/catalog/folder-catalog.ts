/** The runs of a folder: each in a folder of its own, named by its id. */
import { accessSync, constants, existsSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../../domain/errors.ts';
import { folderHome } from '../home/folder-home.ts';
import { readManifest } from '../manifest-file.ts';
import { writeDump } from '../ledger/sqlite/dump/write-dump.ts';
import { createRunFolder, removeRunFolder } from '../run-folder.ts';
import { ledgerName, manifestPath } from '../run-paths.ts';
import { ownerLock } from './owner-lock.ts';
import { type FoundRun, refuseCopy, type RunCatalog } from './run-catalog.ts';
import { checkedRunId } from './run-id.ts';
import { unknownRun } from './unknown-run.ts';

export const folderCatalog = (runsDir: string): RunCatalog => ({
  ids: async () => runIds(runsDir),
  has: async (id) => isRun(runsDir, id),
  brokenIds: async () => brokenRunIds(runsDir),
  find: (id) => findRun(runsDir, id),
  findToChange: (id) => findRunToChange(runsDir, id),
  home: (id) => folderHome(join(runsDir, id)),
  create: (id, fill) => createRunFolder(join(runsDir, checkedRunId(id)), fill),
  ownership: (id) => ownerLock(join(runsDir, id)),
  async receive(id, fill, ledger) {
    await createRunFolder(join(runsDir, checkedRunId(id)), fill, (path) => writeDump(path, ledger()));
  },
  remove: async (id) => removeRunFolder(join(runsDir, checkedRunId(id))),
});

const isRun = (runsDir: string, id: string): boolean => existsSync(manifestPath(join(runsDir, id)));

async function findRun(runsDir: string, id: string): Promise<FoundRun> {
  const folder = join(runsDir, checkedRunId(id));
  if (!isRun(runsDir, id)) throw new InputError(noSuchRun(runsDir, id));
  return { home: folderHome(folder), folder, manifest: await readManifest(folder) };
}

async function findRunToChange(runsDir: string, id: string): Promise<FoundRun> {
  const remedy = 'rename the folder to that name, in this runs directory or in another (--runs-dir)';
  return refuseCopy(id, await findRun(runsDir, id), remedy);
}

const runIds = (runsDir: string): string[] => namesIn(runsDir).filter((name) => isRun(runsDir, name));

const namesIn = (runsDir: string): string[] =>
  existsSync(runsDir) ? readdirSync(runsDir).filter((name) => !name.startsWith('.')) : [];

/** Folders that are a run's by what they hold, but lack its manifest; and folders that this user may not read. */
const brokenRunIds = (runsDir: string): string[] =>
  namesIn(runsDir).filter((name) => {
    const folder = join(runsDir, name);
    if (!existsSync(folder)) return isLink(folder);
    if (!statSync(folder).isDirectory()) return false;
    return !isReadable(folder) || (holdsRunFiles(folder) && !isRun(runsDir, name));
  });

const holdsRunFiles = (folder: string): boolean =>
  [ledgerName, 'inputs'].some((name) => existsSync(join(folder, name)));

const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

function isReadable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function noSuchRun(runsDir: string, id: string): string {
  const folder = join(runsDir, id);
  if (isLink(folder) && !existsSync(folder)) return `${folder} is a link to a folder that does not exist`;
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) return `${folder} is a file, not a run: a run is a folder`;
    // Throws where the folder may not be read, which looks like a missing manifest.
    accessSync(folder, constants.R_OK | constants.X_OK);
    return (
      `${folder} has no manifest.json, so it is not a run: ` +
      'restore that file from a copy of the run, or name another run'
    );
  }
  return unknownRun(id, runsDir, runIds(runsDir));
}
