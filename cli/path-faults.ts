/** Places that a person named and that cannot be used: what the system says of them, in words, and what to do. */
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '../domain/errors.ts';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';

/** A place that the command works on. */
export interface NamedPath {
  /** The option or variable that names it; null for an argument. */
  readonly field: string | null;
  /** Absolute; null where the option was not given. */
  readonly path: string | null;
}

/** What variables of the environment name; a command's own options and arguments go before them. */
export const environmentPaths = (env: NodeJS.ProcessEnv): NamedPath[] => [
  { field: 'EVENKEEL_CACHE', path: resolve(cacheFolder(env)) },
  ...['EVENKEEL_RUNS', 'EVENKEEL_BENCHMARKS', 'EVENKEEL_EXECUTION_CACHE'].flatMap((field) => {
    const path = env[field];
    return path === undefined || path === '' ? [] : [{ field, path: resolve(path) }];
  }),
];

/** Of the place, whoever named it: no program of ours makes a disk read-only or takes rights away. */
const ofThePlace: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);
/** Of what lies there: a fault of the person's at a place that the person named, and else one of ours. */
const ofWhatLiesThere: ReadonlySet<string> = new Set(['EISDIR', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP', 'ENAMETOOLONG']);

/** Null where the error is no fault of a place, or of one that nobody named. */
export function pathFault(error: unknown, named: readonly NamedPath[]): InputError | null {
  if (!(error instanceof Error)) return null;
  const { code = '', path, dest, syscall } = error as NodeJS.ErrnoException & { readonly dest?: string };
  if (syscall === 'listen') return portFault(error);
  const place = dest ?? path;
  if (typeof place !== 'string' || syscall?.startsWith('spawn')) return null;
  const file = resolve(place);
  if (!ofThePlace.has(code) && !isOfNamed(code, file, named)) return null;
  const match = named.find(({ path: one }) => one !== null && isAt(file, one));
  const at = { file: match?.path ?? file, ...(match?.field && { field: match.field }) };
  return new InputError(`${reasonOf(code, file)}: ${remedyOf(code, file, match === undefined ? waysOf(named) : [])}`, at);
}

/** A file that lacks within a folder that is there is one of ours that was to be there. */
function isOfNamed(code: string, file: string, named: readonly NamedPath[]): boolean {
  const paths = named.flatMap(({ path }) => path ?? []);
  if (code === 'ENOENT') return paths.some((path) => isAt(file, path) || (isWithin(file, path) && !existsSync(path)));
  return ofWhatLiesThere.has(code) && paths.some((path) => isAt(file, path) || isWithin(file, path) || isWithin(path, file));
}

/** The place itself, or the file beside it that is to be renamed to it. */
const isAt = (file: string, named: string): boolean => file === named || file.startsWith(`${named}.`);
const isWithin = (file: string, folder: string): boolean => file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

function reasonOf(code: string, file: string): string {
  const folder = firstOnDisk(dirname(file));
  switch (code) {
    case 'EROFS':
      return 'lies on a file system that is read-only';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not read or write it';
    case 'EISDIR':
      return 'is a folder, and a file is needed';
    case 'ENOENT':
      return folder === dirname(file) ? `is not there, and cannot be made in ${folder}` : `there is no folder ${dirname(file)}`;
    case 'ENAMETOOLONG':
      return 'is too long a name';
    case 'ELOOP':
      return 'is a link that leads back to itself';
    default:
      return isFolder(folder) ? 'is there already, and is no folder' : `${folder} is no folder`;
  }
}

function remedyOf(code: string, file: string, ways: readonly string[]): string {
  if (code === 'EISDIR') return 'name a file in it';
  const other = ways.length === 0 ? 'name another place' : `name another place (${ways.join(', ')})`;
  if (code === 'ENOENT' && !existsSync(dirname(file))) return `make the folder, or ${other}`;
  return ['EACCES', 'EPERM'].includes(code) ? `change its rights (ls -ld shows them), or ${other}` : other;
}

/** Options of the command that name a place to write to. */
const waysOf = (named: readonly NamedPath[]): string[] => [
  ...new Set(named.flatMap(({ field }) => (field !== null && ['--out', '--runs-dir', '--folder'].includes(field) ? [field] : []))),
];

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The folder, or the nearest above it that there is; a file where one stands in the way. */
function firstOnDisk(folder: string): string {
  const up = dirname(folder);
  return existsSync(folder) || up === folder ? folder : firstOnDisk(up);
}

function portFault(error: NodeJS.ErrnoException & { readonly address?: string; readonly port?: number }): InputError | null {
  const place = `port ${error.port} of ${error.address}`;
  if (error.code === 'EADDRINUSE')
    return new InputError(`${place} is in use by another program: choose another (0 takes a free one), or end that program`, {
      field: '--port',
    });
  if (error.code === 'EACCES')
    return new InputError(`this user may not open ${place}: choose one above 1023 (0 takes a free one)`, { field: '--port' });
  return null;
}
