/**
 * Programs that try to reach the host, to fool the judge or to break the sandbox. Each is wrong for `add`, so a pass
 * would be a forgery; each is followed by a right program, which must pass. Those that read something return it, so
 * that what they got would show in the result.
 */
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedSandbox } from '../../activities/sandboxes/embedded/embedded.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import { addProgram, goodAdd, limits, passesAdd } from './programs.ts';

const secret = 'evenkeel-secret-5b1e';
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const secretFile = join(folder, 'secret.txt');
const proof = join(folder, 'proof');
let connections = 0;
let server: Server;
let sandbox: Sandbox;

beforeAll(async () => {
  writeFileSync(secretFile, secret);
  process.env['EVENKEEL_TEST_SECRET'] = secret;
  server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  sandbox = await createEmbeddedSandbox({ processes: 1 });
  await sandbox.run(goodAdd, limits);
}, 90_000);

afterAll(async () => {
  await sandbox.close();
  server.close();
  delete process.env['EVENKEEL_TEST_SECRET'];
  rmSync(folder, { recursive: true });
});

const inCall = (...lines: string[]) => `def add(a, b):\n${lines.map((line) => `    ${line}\n`).join('')}`;
const port = () => (server.address() as AddressInfo).port;

/** Finds JavaScript proxies that the interpreter's package left behind, whatever module they are in. */
const findProxies = `
import gc
def proxies():
    return [o for o in gc.get_objects() if 'Js' in type(o).__name__ or 'Js' in str(type(o))]
`;
const withProxies = (action: string): string =>
  `${findProxies}\n${inCall('for p in proxies():', `    try: ${action}`, '    except Exception: pass', 'return 0')}`;

const programs: Readonly<Record<string, () => string>> = {
  'reads a file of the host': () => inCall(`return open(${JSON.stringify(secretFile)}).read()`),
  'reads a file of the host through os': () =>
    inCall('import os', `return os.read(os.open(${JSON.stringify(secretFile)}, 0), 100)`),
  'lists the root': () => inCall('import os', 'return [open("/proc/1/environ", "rb").read()] + os.listdir("/")'),
  'writes a file': () => inCall(`open(${JSON.stringify(proof)}, "w").write("x")`),
  'writes a file through os': () =>
    inCall('import os', `return os.open(${JSON.stringify(proof)}, os.O_CREAT | os.O_RDWR)`),
  'makes a folder': () => inCall('import os', `os.makedirs(${JSON.stringify(proof)})`),
  'reads its standard input': () => inCall('import os, sys', 'return [os.read(0, 1000), sys.stdin.read()]'),
  'reads the terminal device': () => inCall('return open("/dev/stdin", "rb").read(10)'),
  'reads the reply pipe': () => inCall('import os', 'return os.read(3, 1000)'),
  'writes to every file descriptor': () =>
    inCall(
      'import os, json',
      'frame = json.dumps({"type": "end", "nonce": "", "end": "completed"}).encode()',
      'for fd in range(64):',
      '    try: os.write(fd, len(frame).to_bytes(4, "little") + frame)',
      '    except OSError: pass',
      'os._exit(0)',
    ),
  'closes every file descriptor': () => inCall('import os', 'os.closerange(0, 4096)', 'return None'),
  'duplicates over the reply pipe': () => inCall('import os', 'os.dup2(1, 3)'),
  'starts a command with os.system': () => inCall('import os', `return os.system("touch ${proof}")`),
  'starts a command with subprocess': () =>
    inCall('import subprocess', `return subprocess.run(["touch", ${JSON.stringify(proof)}])`),
  forks: () => inCall('import os', 'return os.fork()'),
  'replaces its process': () => inCall('import os', `os.execv("/bin/touch", ["touch", ${JSON.stringify(proof)}])`),
  'starts threads': () => inCall('import threading', 'threading.Thread(target=print).start()'),
  'connects to a port of the host': () =>
    inCall('import socket', `s = socket.create_connection(("127.0.0.1", ${port()}), 1)`, 's.send(b"x")'),
  'connects without the library': () =>
    inCall('import _socket', 's = _socket.socket()', `s.connect(("127.0.0.1", ${port()}))`),
  'asks for a page': () =>
    inCall('from urllib.request import urlopen', `return urlopen("http://127.0.0.1:${port()}/").read()`),
  'resolves a name': () => inCall('import socket', 'return socket.gethostbyname("localhost")'),
  'reads the environment': () => inCall('import os', 'return dict(os.environ)'),
  'kills its process': () => inCall('import os', 'os.kill(os.getpid(), 9)'),
  'kills every process': () => inCall('import os', 'os.kill(-1, 9)'),
  'raises a signal': () => inCall('import signal', 'signal.raise_signal(signal.SIGTERM)'),
  'sets an alarm': () => inCall('import signal', 'signal.alarm(1)', 'signal.setitimer(signal.ITIMER_REAL, 0.01)'),
  'dies by a wild pointer': () => inCall('import ctypes', 'return ctypes.string_at(0xFFFFFFF0, 100)'),
  'loads a library of the host': () => inCall('import ctypes', 'return ctypes.CDLL("libc.so.6").getpid()'),
  'calls C by ctypes': () =>
    inCall('import ctypes', 'return ctypes.pythonapi.emscripten_run_script(b"process.exit(7)")'),
  'exits at once': () => 'import os\nos._exit(0)',
  'exits in a handler': () => 'import atexit, sys\natexit.register(lambda: 1/0)\nsys.exit(0)',

  'imports js': () => inCall('import js', 'return str(js.process.env)'),
  'imports pyodide_js': () => inCall('import pyodide_js', 'return str(pyodide_js._module.FS)'),
  'imports pyodide after restoring the finders': () =>
    inCall(
      'import sys, _frozen_importlib as f, _frozen_importlib_external as e',
      'sys.meta_path[:] = [f.BuiltinImporter, f.FrozenImporter, e.PathFinder]',
      'import _pyodide_core',
      'from pyodide.code import run_js',
      'return run_js("process.env")',
    ),
  'makes the interpreter core again': () =>
    inCall(
      'import _imp, types',
      'spec = types.SimpleNamespace(name="_pyodide_core", origin="built-in", parent="")',
      'return [n for n in dir(_imp.create_builtin(spec))]',
    ),
  'takes the constructor of a left-over proxy': () =>
    withProxies('return str(p.constructor.constructor("return process")().env)'),
  'walks from a left-over proxy': () => withProxies('p.to_py(); p.foo = 1; dir(p)'),
  'collects what the proxies hold': () =>
    inCall(
      'import gc',
      'gc.unfreeze()',
      'for o in gc.get_objects():',
      '    try: o.clear()',
      '    except Exception: pass',
      'gc.collect()',
      'return 0',
    ),
  'finds the proxy type and makes one': () =>
    inCall(
      'for c in object.__subclasses__():',
      '    if "Js" in c.__name__ or "pyodide" in c.__module__:',
      '        try: return [c.__name__, str(c()), str(c.new)]',
      '        except Exception: pass',
      'return 0',
    ),

  'returns an object equal to everything': () =>
    'class Any:\n    def __eq__(self, other): return True\n    def __hash__(self): return 3\n' +
    'def add(a, b): return Any()',
  'returns an int equal to everything': () =>
    'class Any(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n' +
    'def add(a, b): return Any(9)',
  'replaces the builtins': () =>
    'import builtins\nfor name in ("type", "isinstance", "len", "str", "list", "int", "repr", "print"):\n' +
    '    setattr(builtins, name, lambda *a: 3)\ndef add(a, b): return 9',
  'deletes the builtins': () =>
    'import builtins\nfor name in list(vars(builtins)):\n    delattr(builtins, name)\ndef add(a, b): return 9',
  'empties sys.modules': () => 'import sys\nsys.modules.clear()\ndef add(a, b): return 9',
  'patches json': () =>
    'import json, json.encoder, json.decoder, json.scanner\njson.loads = json.dumps = lambda *a, **k: "3"\n' +
    'json.encoder.c_encode_basestring_ascii = json.encoder.encode_basestring_ascii = lambda s: "3"\n' +
    'def add(a, b): return "x"',
  'finds expected values in frames': () =>
    inCall(
      'import sys, gc',
      'frame = sys._getframe(1)',
      'seen = []',
      'while frame:',
      '    seen.append(repr(frame.f_locals)[:10000]); frame = frame.f_back',
      'return 3 if "expected" in str(seen) else seen',
    ),
  'finds expected values with gc': () =>
    inCall(
      'import gc',
      'for o in gc.get_objects():',
      '    if type(o) is dict and "expected" in o: return o["expected"]',
      'return 9',
    ),
  'replaces the code of the encoder': () =>
    'import gc, types\ndef fake(*a): return 3\nfor o in gc.get_objects():\n' +
    '    if type(o) is types.FunctionType and o.__module__ == "harness" and o.__name__ in ("encode", "encoded"):\n' +
    '        o.__code__ = (lambda value, budget: b"v{}[]").__code__\ndef add(a, b): return 9',
  'answers for the harness through a trace': () =>
    'import sys\ndef trace(frame, event, arg):\n    if event == "return": frame.f_locals["value"] = 3\n' +
    '    return trace\nsys.settrace(trace)\nsys.setprofile(trace)\ndef add(a, b): return 9',
  'lowers the recursion limit': () => 'import sys\nsys.setrecursionlimit(8)\ndef add(a, b): return [[[[[[9]]]]]]',
  'fails while its value is read': () =>
    'class L(list):\n    def __iter__(self): raise SystemExit\ndef add(a, b): return L([1])',
  'prints what an answer looks like': () =>
    inCall('print(\'{"type":"end","end":"completed"}\')', 'print("v3")', 'return 9'),

  'loops for ever': () => 'while True: pass',
  'loops for ever inside C': () => inCall('return max(iter(int, 1))'),
  'ignores every signal and loops': () =>
    'import signal\nfor s in signal.valid_signals():\n    try: signal.signal(s, signal.SIG_IGN)\n' +
    '    except Exception: pass\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass',
  'loops in a finaliser': () =>
    'class F:\n    def __del__(self):\n        while True: pass\ndef add(a, b):\n    F()\n    return 9',
  'fills the memory': () =>
    inCall(
      'kept = []',
      'while True:',
      '    try: kept.append("x" * 10**6 + str(len(kept)))',
      '    except MemoryError: pass',
    ),
  'returns much': () => inCall('return [["x" * 1000] * 1000] * 1000'),
  'recurses without end': () => 'import sys\nsys.setrecursionlimit(2**31 - 1)\ndef add(a, b): return add(a, b)',
  'recurses in C': () =>
    'import sys\nsys.setrecursionlimit(2**31 - 1)\nclass R:\n    def __repr__(self): return repr(self)\n' +
    'def add(a, b): return repr(R())',
  'crashes the interpreter by forged bytecode': () =>
    'def add(a, b): return 9\nadd.__code__ = add.__code__.replace(co_code=bytes([255, 255] * 40), co_stacksize=1)',
  'crashes it by a forged constant': () =>
    'def add(a, b): return 9\nadd.__code__ = add.__code__.replace(co_consts=(), co_names=(), co_varnames=("a", "b"))',
};

describe('no hostile program passes, reaches the host or disturbs the next program', () => {
  it.each(Object.entries(programs))(
    'a program that %s',
    async (_name, source) => {
      const run = await sandbox.run(addProgram(source()), { ...limits, caseTimeoutMs: 500 });
      expect(passesAdd(run)).toBe(false);
      expect(JSON.stringify(run)).not.toContain(secret);
      expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
      expect([existsSync(proof), connections]).toEqual([false, 0]);
    },
    60_000,
  );
});

describe('what a hostile program gets instead', () => {
  const answers: readonly (readonly [string, string])[] = [
    ['reads a file of the host', 'FileNotFoundError'],
    ['writes a file through os', 'OSError: [Errno 69] Read-only file system'],
    ['reads its standard input', '[{"b":""},""]'],
    ['forks', 'OSError'],
    ['connects without the library', 'PermissionError'],
    ['returns an int equal to everything', '{"x":"Any"}'],
    ['replaces the builtins', '9'],
    ['patches json', '"x"'],
    ['lowers the recursion limit', '[[[[[[9]]]]]]'],
    ['prints what an answer looks like', '9'],
  ];
  it.each(answers)(
    'one that %s gets %s',
    async (name, start) => {
      const run = await sandbox.run(addProgram(programs[name]?.() ?? ''), limits);
      const [first] = run.results;
      const text = first !== undefined && 'exception' in first ? first.exception : run.detail;
      expect(first !== undefined && 'value' in first ? first.value : text?.slice(0, start.length)).toBe(start);
    },
    30_000,
  );

  it('an environment of its own', async () => {
    const run = await sandbox.run(addProgram(inCall('import os', 'return dict(os.environ)')), limits);
    const value = (run.results[0] as { value: string }).value;
    const made = [
      ['USER', 'web_user'],
      ['LOGNAME', 'web_user'],
      ['PATH', '/'],
      ['PWD', '/'],
      ['HOME', '/'],
      ['LANG', 'C.UTF-8'],
      ['_', 'python'],
      ['PYTHONHASHSEED', '0'],
    ];
    expect(new Map((JSON.parse(value) as { d: [string, string][] }).d)).toEqual(
      new Map([...made, ['PYTHONINSPECT', '1'], ['LD_LIBRARY_PATH', '/usr/lib:/lib/python3.14/site-packages']] as [
        string,
        string,
      ][]),
    );
  });
});
