/** Places that no command may write to: files of a run, which may hold paid replies, and one file for two options. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { ledgerPath, manifestPath } from '../../activities/storage/run-paths.ts';
import { InputError } from '../../domain/errors.ts';
import type { NamedPath } from './path-faults.ts';

/** Options that name something to write; `--spec` only of `import`. */
const outputs = ['--out', '--markdown', '--junit', '--save', '--log'];

/**
 * Throws InputError if an output is a file of a run, the same file as another option names, or `-`.
 * @param options the command's options that name files or folders
 * @param ownFolder the folder of the run that `report` is about, whose reports it may write again; else null
 */
export async function checkOutputs(
  verb: string,
  options: readonly NamedPath[],
  ownFolder: string | null,
): Promise<void> {
  const given = options.flatMap(({ field, path }) =>
    field === null || path === null || isStream(path) ? [] : [{ field, path: placeOf(path) }],
  );
  const written = given.filter(({ field }) => outputs.includes(field) || (verb === 'import' && field === '--spec'));
  for (const { field, path } of written) {
    if (path === resolve('-'))
      throw new InputError('would be a file of the name "-": name /dev/stdout for standard output, or a file', {
        field,
      });
    const twin = given.find((other) => other.field !== field && other.path === path);
    if (twin !== undefined)
      throw new InputError(`is the file that ${twin.field} names, which would be lost: name another`, {
        file: path,
        field,
      });
    const folder = await runAround(dirname(path));
    if (folder !== null && (await isOwn(folder, path, ownFolder !== null && placeOf(ownFolder) === folder)))
      throw new InputError(`is a file of the run in ${folder}, which would be damaged: name one outside that folder`, {
        file: path,
        field,
      });
  }
}

/** A device or a pipe, such as /dev/stdout. */
function isStream(path: string): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

/** Through links; of a file that does not exist yet, through those of its folder. */
function placeOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}

/** The nearest folder, from this one up, that holds a run; null if there is none. */
async function runAround(folder: string): Promise<string | null> {
  if (isFilled(ledgerPath(folder)) || (existsSync(manifestPath(folder)) && (await sealsOf(folder)) !== null))
    return folder;
  return dirname(folder) === folder ? null : runAround(dirname(folder));
}

/** An empty file, as `sqlite3` leaves for a wrong name, holds nothing that could be lost. */
const isFilled = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Names of the run's sealed files; null if its manifest cannot be read. */
const sealsOf = async (folder: string): Promise<string[] | null> =>
  readManifest(folder).then(
    ({ seals }) => Object.keys(seals ?? {}),
    () => null,
  );

/** Tables and inputs lie in folders of the run's. */
async function isOwn(folder: string, path: string, mayReport: boolean): Promise<boolean> {
  const inside = relative(folder, path);
  if (inside.includes('/') || /^(?:manifest\.json|ledger\..*|owner\.lock|views\.sql)$/.test(inside)) return true;
  return !mayReport && ((await sealsOf(folder)) ?? []).includes(inside);
}
