/**
 * The boundary. A WebAssembly program reaches nothing but its own memory and the functions it imports; this file
 * decides what each import does once the interpreter is sealed. Whatever is not named here ends the program, so an
 * interpreter release that adds a way out to JavaScript adds a refusal.
 */
import { ProgramEnded } from './ending.ts';

type ImportFunction = (...args: unknown[]) => unknown;
export type ImportTable = Record<string, unknown>;
export type Overrides = Readonly<Record<string, (original: ImportFunction, args: number[]) => unknown>>;

/**
 * Read clocks, convert dates, draw random bytes, call back into WebAssembly: no state on the JavaScript side, nothing
 * to reach.
 */
const harmless: ReadonlySet<string> = new Set([
  'JsvError_Check',
  'Jsv_GetError_import',
  'JsvNoValue_Check',
  '_PyEM_TrampolineCall_JS',
  '__call_sighandler',
  '_gmtime_js',
  '_localtime_js',
  '_mktime_js',
  '_timegm_js',
  '_tzset_js',
  'clock_res_get',
  'emscripten_date_now',
  'emscripten_get_heap_max',
  'environ_get',
  'environ_sizes_get',
  'random_get',
]);

/** Read the in-memory file system, which holds the standard library and nothing else. */
const reading: ReadonlySet<string> = new Set([
  '__syscall_faccessat',
  '__syscall_fstat64',
  '__syscall_getcwd',
  '__syscall_getdents64',
  '__syscall_lstat64',
  '__syscall_newfstatat',
  '__syscall_readlinkat',
  '__syscall_stat64',
  'fd_close',
  'fd_fdstat_get',
  'fd_pread',
  'fd_seek',
]);

/** EPERM of WASI, which Emscripten uses; system calls return it negated. */
const notPermitted = 63;

/** Errors that a C library expects from calls that are not system calls. */
const refusalCodes: Readonly<Record<string, number>> = {
  _emscripten_system: -notPermitted,
  _mmap_js: -notPermitted,
  _munmap_js: -notPermitted,
  _setitimer_js: -1,
  getaddrinfo: -4,
  getnameinfo: -4,
  fd_pwrite: notPermitted,
  fd_sync: notPermitted,
};

/**
 * Wraps one namespace of imports. Before `isSealed()` every import is the interpreter's own; after it, `overrides`
 * first, then the lists above, and a refusal for all others. Objects that are not functions but can be called
 * (suspending imports) are refused from the start.
 */
export function guardImports(table: ImportTable, overrides: Overrides, isSealed: () => boolean): ImportTable {
  return new Proxy(table, { get: (target, name) => guardOne(String(name), target[String(name)], overrides, isSealed) });
}

function guardOne(name: string, original: unknown, overrides: Overrides, isSealed: () => boolean): unknown {
  if (
    original instanceof WebAssembly.Global ||
    original instanceof WebAssembly.Memory ||
    original instanceof WebAssembly.Table
  )
    return original;
  if (typeof original !== 'function') return original === undefined ? undefined : refusalOf(name);
  const call = original as ImportFunction;
  const override = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  if (override !== undefined) return (...args: number[]) => (isSealed() ? override(call, args) : call(...args));
  if (harmless.has(name) || reading.has(name)) return call;
  const refuse = refusalOf(name);
  return (...args: unknown[]) => (isSealed() ? refuse() : call(...args));
}

function refusalOf(name: string): () => number {
  if (name.startsWith('__syscall_')) return () => -notPermitted;
  const code = refusalCodes[name];
  if (code !== undefined) return () => code;
  return () => {
    throw new ProgramEnded('killed', `the program called ${name}, which this sandbox refuses`);
  };
}
