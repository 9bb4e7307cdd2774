/**
 * The child process of the embedded sandbox: `node --permission ... main.ts <URL of the pyodide folder>`. Warms the
 * interpreter, takes away what Node.js offers beyond reading two pipes, and serves requests until its standard input
 * ends.
 */
import { constants, readSync, writeSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { createDeadline, readCpuMs, wallFactor } from './deadline.ts';
import type { Interpreter } from './interpreter.ts';
import { encodeFrame, type Reply, type Request, replyFd } from './protocol.ts';
import { serveProgram } from './serve.ts';
import { trials, warmupRounds } from './warmup.ts';

const emptyModule = 'data:text/javascript,export default {}';
const leftOut: ReadonlySet<string> = new Set(['ws', 'node:child_process']);
const indexUrl = new URL(String(process.argv[2]));
let sealed = false;

registerHooks({
  resolve(specifier, context, next) {
    if (sealed) throw new Error(`no module is loaded after start, asked for ${specifier}`);
    // Not looked up: a package manager may have put a link, which may not be read, where the lookup starts.
    if (specifier === 'pyodide') return { url: new URL('pyodide.mjs', indexUrl).href, shortCircuit: true };
    return leftOut.has(specifier) ? { url: emptyModule, shortCircuit: true } : next(specifier, context);
  },
});
// The permission model refuses the real one; the interpreter asks it for these constants only.
Object.assign(process, { binding: () => ({ fs: constants }) });

const now = () => performance.now();
const deadline = createDeadline(now, readCpuMs);
const { openInterpreter } = await import('./interpreter.ts');
const interpreter = await openInterpreter(indexUrl, deadline);
warm(interpreter);
sealProcess();
interpreter.seal();
send({ type: 'ready', nonce: '' });
for (let request = readRequest(); request !== null; request = readRequest())
  serveProgram(interpreter, deadline, now, request, send);

function warm(target: Interpreter): void {
  const request = {
    nonce: '',
    tests: null,
    limitsMs: [],
    wallFactor,
    memoryBytes: Number.POSITIVE_INFINITY,
    outputBytes: 1e6,
  };
  for (let round = 0; round < warmupRounds; round++) {
    for (const trial of trials)
      serveProgram(target, deadline, now, { ...request, ...trial, limitsMs: [1e6, 1e6, 1e6] }, () => undefined);
  }
}

/**
 * A second wall behind the guarded imports: no loader, no bindings, no network client for code that should never run
 * here.
 */
function sealProcess(): void {
  sealed = true;
  const refuse = () => {
    throw new Error('refused in the sandbox');
  };
  Object.assign(process, { binding: refuse, dlopen: refuse, getBuiltinModule: refuse, kill: refuse });
  for (const name of ['require', 'fetch', 'WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
}

function send(reply: Reply): void {
  const frame = encodeFrame(reply);
  for (let sent = 0; sent < frame.length; ) sent += writeSync(replyFd, frame, sent);
}

/** Blocks until a request is complete; null at the end of the stream, which is how the parent's death shows. */
function readRequest(): Request | null {
  const header = readBytes(4);
  const body = header === null ? null : readBytes(header.readUInt32LE(0));
  return body === null ? null : (JSON.parse(body.toString('utf8')) as Request);
}

function readBytes(count: number): Buffer | null {
  const bytes = Buffer.allocUnsafe(count);
  for (let filled = 0; filled < count; ) {
    const got = readSync(0, bytes, filled, count - filled, null);
    if (got === 0) return null;
    filled += got;
  }
  return bytes;
}
