/** Turns the system's errors about files, folders and ports into messages: what is wrong, and what to do. */
import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';

/** A path that the command works on. */
export interface NamedPath {
  /** The option or variable that names it; null for an argument. */
  readonly field: string | null;
  /** Absolute; null where the option was not given. */
  readonly path: string | null;
}

/** Paths from environment variables; a command's own options and arguments take precedence. */
export const environmentPaths = (env: NodeJS.ProcessEnv): NamedPath[] => [
  { field: 'EVENKEEL_CACHE', path: resolve(cacheFolder(env)) },
  ...pathVariables.flatMap((field) => {
    const path = env[field];
    return path === undefined || path === '' ? [] : [{ field, path: resolve(path) }];
  }),
];

const pathVariables = [
  'EVENKEEL_RUNS',
  'EVENKEEL_BENCHMARKS',
  'EVENKEEL_EXECUTION_CACHE',
  'EVENKEEL_LOG_FILE',
  'TMPDIR',
] as const;

/** Never a bug: evenkeel makes no disk read-only and takes no permissions away. */
const permissionCodes: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM']);
/** The user's to fix at a path that the user gave, elsewhere a bug. */
const wrongKindCodes: ReadonlySet<string> = new Set([
  'EISDIR',
  'ENOTDIR',
  'EEXIST',
  'ENOTEMPTY',
  'ELOOP',
  'ENAMETOOLONG',
]);

/** Null for an error that is not about a path or port, or about a path that the user did not give. */
export function pathFault(error: unknown, named: readonly NamedPath[]): InputError | null {
  if (!(error instanceof Error)) return null;
  const { code = '', path, dest, syscall } = error as NodeJS.ErrnoException & { readonly dest?: string };
  if (syscall === 'listen') return portFault(error);
  if (syscall === 'uv_cwd') return new InputError('the current folder was removed: change to another one with cd');
  const place = dest ?? path;
  if (typeof place !== 'string' || syscall?.startsWith('spawn')) return null;
  const file = resolve(place);
  if (!permissionCodes.has(code) && !isAboutNamed(code, file, named)) return null;
  const match = named.find(({ path: one }) => one !== null && isAt(file, one));
  const at = { file: match?.path ?? file, ...(match?.field && { field: match.field }) };
  return new InputError(
    `${reasonOf(code, file)}: ${remedyOf(code, file, match === undefined ? outputOptions(named) : [])}`,
    at,
  );
}

/** A file missing from an existing folder is a bug: evenkeel should have written it. */
function isAboutNamed(code: string, file: string, named: readonly NamedPath[]): boolean {
  const paths = named.flatMap(({ path }) => path ?? []);
  if (code === 'ENOENT') return paths.some((path) => isAt(file, path) || (isWithin(file, path) && !existsSync(path)));
  return (
    wrongKindCodes.has(code) && paths.some((path) => isAt(file, path) || isWithin(file, path) || isWithin(path, file))
  );
}

/** The path itself, or the temporary file next to it that is renamed to it. */
const isAt = (file: string, named: string): boolean => file === named || file.startsWith(`${named}.`);
const isWithin = (file: string, folder: string): boolean =>
  file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

function reasonOf(code: string, file: string): string {
  const folder = firstOnDisk(dirname(file));
  switch (code) {
    case 'EROFS':
      return 'is on a read-only file system';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'is a folder; expected a file';
    case 'ENOENT':
      return folder === dirname(file)
        ? `does not exist and cannot be created in ${folder}`
        : `no such folder: ${dirname(file)}`;
    case 'ENAMETOOLONG':
      return 'the name is too long';
    case 'ELOOP':
      return 'is a symbolic link that points back to itself';
    default:
      if (leadsNowhere(file)) return 'is a symbolic link that leads nowhere';
      return isFolder(folder) ? 'already exists and is not a folder' : `${folder} is not a folder`;
  }
}

function remedyOf(code: string, file: string, ways: readonly string[]): string {
  if (code === 'EISDIR') return 'name a file in that folder';
  const other = ways.length === 0 ? 'choose another path' : `choose another path (${ways.join(', ')})`;
  if (code === 'ENOENT' && !existsSync(dirname(file))) return `create the folder, or ${other}`;
  return ['EACCES', 'EPERM'].includes(code) ? `change its permissions (ls -ld shows them), or ${other}` : other;
}

/** Options of the command that say where to write. */
const outputOptions = (named: readonly NamedPath[]): string[] => [
  ...new Set(
    named.flatMap(({ field }) =>
      field !== null && ['--out', '--runs-dir', '--folder'].includes(field) ? [field] : [],
    ),
  ),
];

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The folder or its nearest parent that exists; may be a file that stands in the way. */
const leadsNowhere = (file: string): boolean =>
  !existsSync(file) && isFolder(dirname(file)) && lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;

function firstOnDisk(folder: string): string {
  const up = dirname(folder);
  return existsSync(folder) || up === folder ? folder : firstOnDisk(up);
}

function portFault(
  error: NodeJS.ErrnoException & { readonly address?: string; readonly port?: number },
): InputError | null {
  const place = `port ${error.port} of ${error.address}`;
  if (error.code === 'EADDRINUSE')
    return new InputError(
      `${place} is used by another program: choose another port (0 picks a free one), or stop that program`,
    );
  if (error.code === 'EADDRNOTAVAIL')
    return new InputError(`${error.address} is not an address of this machine: name one that is, or a port only`);
  if (error.code === 'EACCES')
    return new InputError(`no permission to open ${place}: choose a port above 1023 (0 picks a free one)`);
  return null;
}
