/**
 * CPython in WebAssembly, driven through its C interface: Python objects never become JavaScript objects, so all of a
 * program's state is in the linear memory and copying that memory back takes the program away. Files are the exception;
 * they are read-only, and what is open is closed by `rollback`.
 */
import { fileURLToPath } from 'node:url';
import { loadPyodide, type PyodideConfig } from 'pyodide';
import type { Deadline } from './deadline.ts';
import { ProgramEnded } from './ending.ts';
import { harnessLoader, preludeSource } from './harness.ts';
import { guardImports, type ImportTable, type Overrides } from './imports.ts';
import { createOverrides, type FileSystem, type OpenFile } from './overrides.ts';

type Pointer = number;
type HarnessFunction = 'load' | 'call' | 'settle';

/** The part of the interpreter's exports that is used here. */
interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly __stack_pointer: WebAssembly.Global;
  readonly Py_EMSCRIPTEN_SIGNAL_HANDLING: WebAssembly.Global;
  malloc(bytes: number): Pointer;
  sbrk(bytes: number): Pointer;
  emscripten_stack_get_base(): Pointer;
  emscripten_stack_get_end(): Pointer;
  Py_IncRef(object: Pointer): void;
  PyThreadState_Get(): Pointer;
  PyUnstable_ThreadState_SetStackProtection(state: Pointer, start: Pointer, bytes: number): number;
  PyImport_AddModule(name: Pointer): Pointer;
  PyModule_GetDict(module: Pointer): Pointer;
  PyDict_GetItemString(dict: Pointer, key: Pointer): Pointer;
  PyBytes_FromStringAndSize(start: Pointer, bytes: number): Pointer;
  PyBytes_AsString(object: Pointer): Pointer;
  PyBytes_Size(object: Pointer): number;
  PyObject_CallOneArg(callable: Pointer, argument: Pointer): Pointer;
}

export interface Interpreter {
  /** Calls a function of the harness; throws `ProgramEnded` when the program was ended from outside. */
  invoke(name: HarnessFunction, payload: string): string;
  /**
   * From here on no program can reach what the guarded imports refuse. Remembers the state to which `rollback` returns.
   */
  seal(): void;
  rollback(): void;
  /** Bytes that the current program may add to the heap, and the most that it has added. */
  allow(memoryBytes: number): void;
  addedBytes(): number;
  /** True when the memory has grown so far that rolling back is dear; it never shrinks. */
  isWorn(): boolean;
}

/** Growth of the linear memory beyond which a process is replaced rather than rolled back, bytes. */
const wornBytes = 64 * 1024 * 1024;
/**
 * Depth of C calls, in bytes of WebAssembly's own stack, at which Python raises RecursionError. Chosen so that
 * JavaScript's stack (`--stack-size` of the child), which Python does not see, is not full before.
 */
const stackBytes = 1536 * 1024;
/**
 * Of what earlier calls left on the stack, which is dead and not taken back: where calls that hold a value's text go
 * to. All of it would be 5 MB a program.
 */
const deadStackBytes = 256 * 1024;

export async function openInterpreter(indexUrl: URL, deadline: Deadline): Promise<Interpreter> {
  let sealed = false;
  let ceiling = Number.POSITIVE_INFINITY;
  let files: FileSystem | null = null;
  const overrides = createOverrides(deadline, {
    withinCeiling: (bytes) => bytes <= ceiling,
    // Reading the heap through a getter: growth detaches the old view.
    view: () => new DataView(x.memory.buffer),
    files: () => files,
  });
  const { x, fileSystem } = await boot(indexUrl, overrides, () => sealed);
  files = fileSystem;
  const functions = { load: globalOf(x, 'load'), call: globalOf(x, 'call'), settle: globalOf(x, 'settle') };
  let saved: Snapshot | null = null;

  return { invoke, seal, rollback, allow, addedBytes, isWorn };

  function invoke(name: HarnessFunction, payload: string): string {
    const bytes = Buffer.from(payload, 'utf8');
    const argument = x.PyBytes_FromStringAndSize(0, bytes.length) >>> 0;
    if (argument === 0) throw new ProgramEnded('memory', 'no memory left for the next input');
    new Uint8Array(x.memory.buffer).set(bytes, x.PyBytes_AsString(argument) >>> 0);
    const answer = x.PyObject_CallOneArg(functions[name], argument) >>> 0;
    if (answer === 0) throw new ProgramEnded('killed', 'the program broke the code that calls it');
    const start = x.PyBytes_AsString(answer) >>> 0;
    return Buffer.from(x.memory.buffer, start, x.PyBytes_Size(answer)).toString('utf8');
  }

  function seal(): void {
    invoke('settle', '');
    new Uint8Array(x.memory.buffer)[x.Py_EMSCRIPTEN_SIGNAL_HANDLING.value] = 1;
    saved = takeSnapshot(x, fileSystem);
    sealed = true;
  }

  function rollback(): void {
    if (saved !== null) restore(x, fileSystem, saved);
  }

  function allow(memoryBytes: number): void {
    ceiling = (saved?.top ?? 0) + memoryBytes;
  }

  function addedBytes(): number {
    return Math.max(0, (x.sbrk(0) >>> 0) - (saved?.top ?? 0));
  }

  function isWorn(): boolean {
    return x.memory.buffer.byteLength - (saved?.memoryBytes ?? 0) > wornBytes;
  }
}

async function boot(
  indexUrl: URL,
  overrides: Overrides,
  isSealed: () => boolean,
): Promise<{ x: Exports; fileSystem: FileSystem }> {
  let instance: WebAssembly.Instance | undefined;
  const config = {
    indexURL: fileURLToPath(indexUrl),
    jsglobals: Object.create(null) as object,
    stdin: () => null,
    stdout: () => undefined,
    stderr: () => undefined,
    // One hash seed for all processes: a set's order must not depend on which of them ran the program.
    env: { HOME: '/', LANG: 'C.UTF-8', PYTHONHASHSEED: '0', _: 'python' },
    createPyodideModule: async (settings: ModuleSettings) => {
      const inner = settings.instantiateWasm;
      settings.instantiateWasm = (imports, done) =>
        inner(guardAll(imports, overrides, isSealed), (made, module) => {
          instance = made;
          done(made, module);
        });
      const module = (await import(new URL('pyodide.asm.mjs', indexUrl).href)) as {
        default: (settings: ModuleSettings) => Promise<unknown>;
      };
      return module.default(settings);
    },
  };
  const pyodide = await loadPyodide(config as unknown as PyodideConfig);
  pyodide.runPython(preludeSource);
  pyodide.runPython(harnessLoader);
  if (instance === undefined)
    throw new Error('pyodide made no WebAssembly instance through createPyodideModule; check the pinned version');
  const x = instance.exports as Exports;
  x.PyUnstable_ThreadState_SetStackProtection(
    x.PyThreadState_Get(),
    x.emscripten_stack_get_base() - stackBytes,
    stackBytes,
  );
  return { x, fileSystem: pyodide.FS as unknown as FileSystem };
}

type Imports = Record<string, ImportTable>;

interface ModuleSettings {
  instantiateWasm: (
    imports: Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ) => unknown;
}

function guardAll(imports: Imports, overrides: Overrides, isSealed: () => boolean): Imports {
  const { env = {}, wasi_snapshot_preview1: wasi = {} } = imports;
  return {
    ...imports,
    env: guardImports(env, overrides, isSealed),
    wasi_snapshot_preview1: guardImports(wasi, overrides, isSealed),
  };
}

function globalOf(x: Exports, name: string): Pointer {
  const main = x.PyModule_GetDict(x.PyImport_AddModule(cString(x, '__main__')));
  const found = x.PyDict_GetItemString(main, cString(x, name));
  if (found === 0) throw new Error(`the harness defines no ${name}`);
  x.Py_IncRef(found);
  return found;
}

function cString(x: Exports, text: string): Pointer {
  const bytes = Buffer.from(`${text}\0`, 'utf8');
  const start = x.malloc(bytes.length);
  new Uint8Array(x.memory.buffer).set(bytes, start);
  return start;
}

/** Everything that a program can change: memory up to the heap's top, the stack pointer, the table of open files. */
interface Snapshot {
  readonly memoryBytes: number;
  readonly top: number;
  /** Memory below the stack, and from the stack pointer to the top; what lies between is dead. */
  readonly low: Uint8Array;
  readonly high: Uint8Array;
  readonly highStart: number;
  readonly stackPointer: number;
  readonly streams: readonly (OpenFile | null)[];
}

function takeSnapshot(x: Exports, fileSystem: FileSystem): Snapshot {
  const top = x.sbrk(0) >>> 0;
  const stackPointer = x.__stack_pointer.value;
  const memory = new Uint8Array(x.memory.buffer);
  return {
    memoryBytes: memory.length,
    top,
    low: memory.slice(0, x.emscripten_stack_get_end() >>> 0),
    high: memory.slice(stackPointer, top),
    highStart: stackPointer,
    stackPointer,
    streams: fileSystem.streams.slice(),
  };
}

function restore(x: Exports, fileSystem: FileSystem, saved: Snapshot): void {
  const end = Math.min(x.memory.buffer.byteLength, Math.max(saved.top, x.sbrk(0) >>> 0));
  const memory = new Uint8Array(x.memory.buffer);
  memory.set(saved.low, 0);
  memory.fill(0, Math.max(saved.low.length, saved.highStart - deadStackBytes), saved.highStart);
  memory.set(saved.high, saved.highStart);
  memory.fill(0, saved.top, end);
  x.__stack_pointer.value = saved.stackPointer;
  fileSystem.streams = saved.streams.slice();
  // Closing takes a stream its number too.
  for (const [fd, stream] of fileSystem.streams.entries()) if (stream) stream.fd = fd;
}
