/**
 * What the sealed interpreter gets in place of some imports: clocks that keep the deadline, a heap with a ceiling,
 * files that can only be read.
 */
import type { Deadline } from './deadline.ts';
import { ProgramEnded } from './ending.ts';
import type { Overrides } from './imports.ts';

export interface OpenFile {
  readonly node: { readonly mode: number };
  /** Null once it is closed. */
  fd: number | null;
}

export interface FileSystem {
  streams: (OpenFile | null)[];
  isFile(mode: number): boolean;
  isDir(mode: number): boolean;
}

export interface Host {
  withinCeiling(bytes: number): boolean;
  view(): DataView;
  files(): FileSystem | null;
}

const pageBytes = 65536;
const badFile = 8;
const notATerminal = -59;
const readOnly = -69;
/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC and O_APPEND of Emscripten. */
const writingFlags = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000;

export function createOverrides(deadline: Deadline, host: Host): Overrides {
  return {
    _Py_CheckEmscriptenSignals_Helper: () => {
      deadline.check();
      return 0;
    },
    // Sleeping is a loop around the clock.
    emscripten_get_now: (original) => {
      deadline.check();
      return original();
    },
    clock_time_get: (original, args) => {
      deadline.check();
      return original(...args);
    },
    emscripten_resize_heap: (original, [bytes = 0]) => {
      if (!host.withinCeiling((bytes >>> 0) - pageBytes))
        throw new ProgramEnded('memory', 'more memory than the program may add');
      return original(bytes);
    },
    proc_exit: () => leave(),
    exit: () => leave(),
    _abort_js: () => {
      throw new ProgramEnded('killed', 'the interpreter aborted');
    },
    __assert_fail: () => {
      throw new ProgramEnded('killed', 'the interpreter aborted');
    },
    __syscall_getuid32_js: () => 0,
    __syscall_umask_js: () => 0o22,
    __syscall_ioctl: () => notATerminal,
    __syscall_fcntl64: (original, args) =>
      args[1] === 1 || args[1] === 2 || args[1] === 3 ? original(...args) : -badFile,
    __syscall_openat: (original, args) => openForReading(host, original, args),
    fd_read: (original, args) => ((args[0] ?? 0) < 3 ? storeCount(host, args[3] ?? 0, 0) : original(...args)),
    fd_write: (_original, args) => writeOut(host, args),
  };
}

function leave(): never {
  throw new ProgramEnded('early_exit', 'the program ended the interpreter');
}

function openForReading(host: Host, original: (...args: unknown[]) => unknown, args: number[]): unknown {
  if (((args[2] ?? 0) & writingFlags) !== 0) return readOnly;
  const fd = original(...args) as number;
  const files = host.files();
  const mode = files?.streams[fd]?.node.mode;
  if (fd < 0 || files === null || mode === undefined || files.isFile(mode) || files.isDir(mode)) return fd;
  // A device leads to the process's own standard input.
  files.streams[fd] = null;
  return -badFile;
}

/** Standard output and error take everything and keep nothing. */
function writeOut(host: Host, [fd = 0, vectors = 0, count = 0, written = 0]: number[]): number {
  if (fd !== 1 && fd !== 2) return badFile;
  const view = host.view();
  let bytes = 0;
  for (let i = 0; i < count; i++) bytes += view.getUint32((vectors >>> 0) + 8 * i + 4, true);
  return storeCount(host, written, bytes);
}

function storeCount(host: Host, pointer: number, bytes: number): number {
  host.view().setUint32(pointer >>> 0, bytes, true);
  return 0;
}
