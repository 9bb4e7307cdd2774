/**
 * Programs that try to reach the host, to fool the judge, to break the sandbox or to stay in it. Each is wrong for
 * `add`, so that a pass is a forgery. Those that read something return it, so that what they got shows in the result.
 */

/** A function `add` of these lines. */
const call = (...lines: string[]) => `def add(a, b):\n${lines.map((line) => `    ${line}\n`).join('')}`;

/** Calls C: `libc.syscall` reaches what Python hides. */
const c = 'import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n';
const linux = (...lines: string[]) => c + call(...lines);

/** Forges records as the harness writes them: it finds the nonce in the frames below. */
const stealNonce = `
import sys, os
def stolen():
    frame = sys._getframe()
    while frame:
        if 'nonce' in frame.f_locals and 'fd' in frame.f_locals:
            return frame.f_locals['fd'], frame.f_locals['nonce']
        frame = frame.f_back
    return None, b''
def record(tag, body):
    fd, nonce = stolen()
    os.write(fd, tag + nonce + len(body).to_bytes(4, 'little') + (1).to_bytes(8, 'little') + body)
`;
const stealing = (...lines: string[]): string => stealNonce + call(...lines);

const processes: Readonly<Record<string, string>> = {
  'is a fork bomb': 'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass',
  'is a fork bomb in C': linux('while True: libc.fork()'),
  'is a fork bomb of sessions':
    'import os\nwhile True:\n    try:\n        if os.fork() == 0: os.setsid()\n    except OSError: pass',
  'leaves a sleeping child': call('import os, time', 'if os.fork() == 0:', '    time.sleep(1000)', 'return 9'),
  'leaves a daemon': call(
    'import os, time',
    'if os.fork() == 0:',
    '    os.setsid()',
    '    if os.fork() == 0:',
    '        time.sleep(1000)',
    '    os._exit(0)',
    'return 9',
  ),
  'leaves a child that ignores every signal': call(
    'import os, signal',
    'if os.fork() == 0:',
    '    for s in signal.valid_signals():',
    '        try: signal.signal(s, signal.SIG_IGN)',
    '        except OSError: pass',
    '    while True: pass',
    'return 9',
  ),
  'answers in a child as well': call('import os', 'os.fork()', 'return 9'),
  'answers in a grandchild that outlives it': call(
    'import os, time',
    'if os.fork() > 0: os._exit(0)',
    'time.sleep(0.2)',
    'return 9',
  ),
  'starts 5,000 threads': call(
    'import threading, time',
    'for _ in range(5000): threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()',
    'return 9',
  ),
  'leaves a thread that never ends': call(
    'import threading',
    'def spin():',
    '    while True: pass',
    'threading.Thread(target=spin).start()',
    'return 9',
  ),
  'starts a command': call('import subprocess', 'return subprocess.run(["id"], capture_output=True).stdout'),
  'replaces its process': call('import os', 'os.execv("/bin/true", ["true"])'),
  'replaces its process by one that prints': call('import os', 'os.execv("/bin/echo", ["echo", "v3"])'),
  'exits at load': 'import os\nos._exit(0)',
  'exits with sys.exit': 'import sys\nsys.exit(0)',
  'exits in the call': call('import os', 'os._exit(0)'),
  'loops at exit': 'import atexit\ndef spin():\n    while True: pass\natexit.register(spin)\ndef add(a, b): return 9',
  'answers at exit': [
    stealNonce,
    'import atexit',
    "atexit.register(lambda: record(b'v', b'3'))",
    'def add(a, b): sys.exit(0)',
  ].join('\n'),
};

const signals: Readonly<Record<string, string>> = Object.fromEntries(
  [2, 9, 11, 15, 19].map((number) => [
    `sends signal ${number} to the first process and to its parent`,
    call(
      'import os',
      'for pid in (1, os.getppid()):',
      `    try: os.kill(pid, ${number})`,
      '    except OSError: pass',
      'return 9',
    ),
  ]),
);

const kernel: Readonly<Record<string, string>> = {
  'kills every process': call('import os', 'os.kill(-1, 9)', 'return 9'),
  'kills its process group': call('import os', 'os.killpg(0, 9)', 'return 9'),
  'stops itself': call('import os', 'os.kill(os.getpid(), 19)', 'return 9'),
  aborts: call('import os', 'os.abort()'),
  'reads address zero': call('import ctypes', 'return ctypes.string_at(0)'),
  'traces the zygote': linux('return [libc.ptrace(16, 1, 0, 0), ctypes.get_errno()]'),
  'reads the memory of the zygote by a call': linux(
    'buffer = ctypes.create_string_buffer(64)',
    'return libc.syscall(310, 1, buffer, 1, buffer, 1, 0)',
  ),
  'limits the zygote': call('import resource', 'return [resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))]'),
  'limits the processes of the zygote in C': linux(
    'rlimit = (ctypes.c_ulong * 2)(0, 0)',
    'return libc.prlimit(1, 6, rlimit, None)',
  ),
  'slows the zygote': call('import os', 'os.setpriority(os.PRIO_PROCESS, 1, 19)', 'return 9'),
  'moves the zygote to another core': call('import os', 'os.sched_setaffinity(1, {0})', 'return 9'),
  'makes itself important': call('import os', 'os.nice(-20)', 'return 9'),
  'becomes root': call('import os', 'os.setuid(0)', 'return 9'),
  'becomes another user': call('import os', 'os.setresuid(61001, 61001, 61001)', 'return 9'),
  'makes new namespaces': linux('return libc.unshare(0x10000000 | 0x20000000)'),
  'clones into new namespaces': linux('return libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0)'),
  mounts: linux('return libc.mount(b"none", b"/tmp", b"tmpfs", 0, None)'),
  'changes its root': call('import os', 'os.chroot("/tmp")', 'return 9'),
  'asks for io_uring': linux('return libc.syscall(425, 8, ctypes.create_string_buffer(256))'),
  'loads a program into the kernel': linux('return libc.syscall(321, 0, ctypes.create_string_buffer(128), 128)'),
  'handles its own page faults': linux('return libc.syscall(323, 0)'),
  'watches performance counters': linux('return libc.syscall(298, ctypes.create_string_buffer(128), 0, -1, -1, 0)'),
  'adds a key': linux('return libc.syscall(248, b"user", b"x", b"y", 1, -3)'),
  'makes shared memory': linux('return libc.shmget(77, 4096, 0o1666)'),
  'opens a message queue': call('import os', 'return os.open("/dev/mqueue/x", os.O_CREAT | os.O_RDWR)'),
  'sets the clock': call('import time', 'time.clock_settime(time.CLOCK_REALTIME, 0)', 'return 9'),
  'reads the kernel log': linux('buffer = ctypes.create_string_buffer(4096)', 'return libc.klogctl(3, buffer, 4096)'),
  'takes what is waiting for the zygote': linux('return libc.syscall(438, libc.syscall(434, 1, 0), 3, 0)'),
};

const proc: Readonly<Record<string, string>> = {
  'reads the memory of the zygote': call('return open("/proc/1/mem", "rb").read(1)'),
  'reads the environment of the zygote': call('return open("/proc/1/environ", "rb").read()'),
  'maps the zygote': call('return open("/proc/1/maps").read()[:100]'),
  'lists the descriptors of the zygote': call('import os', 'return os.listdir("/proc/1/fd")'),
  'opens a descriptor of the zygote': call('return [open(f"/proc/1/fd/{n}", "rb").read(1) for n in range(10)]'),
  'spares itself from the memory killer': call('open("/proc/self/oom_score_adj", "w").write("-1000")', 'return 9'),
  'gives the zygote to the memory killer': call('open("/proc/1/oom_score_adj", "w").write("1000")', 'return 9'),
  'renames the zygote': call('open("/proc/1/comm", "w").write("x")', 'return 9'),
  'writes a setting of the kernel': call('open("/proc/sys/kernel/core_pattern", "w").write("|/bin/sh")', 'return 9'),
  'asks the kernel to crash': call('open("/proc/sysrq-trigger", "w").write("c")', 'return 9'),
  'reads the keys of the kernel': call('return open("/proc/kcore", "rb").read(10)'),
  'changes its control group': call('open("/sys/fs/cgroup/memory/memory.limit_in_bytes", "w").write("-1")', 'return 9'),
  'looks for a device': call(
    'import os',
    'return [n for n in os.listdir("/dev") if n.startswith(("vd", "sd", "mem", "kvm"))] or 9',
  ),
  'makes a device': call(
    'import os',
    'os.mknod("/tmp/d", 0o60666, os.makedev(254, 0))',
    'return open("/tmp/d", "rb").read(1)',
  ),
};

const files: Readonly<Record<string, string>> = {
  'writes outside of the folder for temporary files': call(
    'open("/opt/evenkeel/zygote.py", "w").write("x")',
    'return 9',
  ),
  'writes where the socket is': call('open("/run/evenkeel/x", "w").write("x")', 'return 9'),
  'connects to the socket of the zygote': call(
    'import socket',
    's = socket.socket(socket.AF_UNIX)',
    's.connect("/run/evenkeel/zygote")',
    'return 9',
  ),
  'closes the folder for temporary files': call(
    'import os',
    'os.chmod("/tmp", 0)',
    'os.utime("/tmp", (7, 7))',
    'return 9',
  ),
  'leaves a file': call('open("/tmp/left", "w").write("x")', 'return 9'),
  'leaves modules in the way of the library': call(
    'import os',
    'for n in ("math", "typing", "json"): open(f"/tmp/{n}.py", "w").write("raise SystemExit")',
    'return 9',
  ),
  'leaves 200 closed folders in each other': call(
    'import os',
    'for _ in range(200):',
    '    os.mkdir("/tmp/d") if not os.path.exists("d") and os.getcwd() == "/tmp" else os.mkdir("d")',
    '    os.chdir("d")',
    'for _ in range(200):',
    '    os.chmod(".", 0)',
    '    try: os.chdir("..")',
    '    except OSError: break',
    'return 9',
  ),
  'makes 200,000 files': call('for n in range(200_000): open(f"/tmp/{n}", "w").close()', 'return 9'),
  'fills the disk': call('f = open("/tmp/f", "wb")', 'while True: f.write(bytes(10**6))'),
  'leaves links to everywhere': call(
    'import os',
    'os.symlink("/", "/tmp/root")',
    'os.symlink("/proc/1/mem", "/tmp/mem")',
    'return 9',
  ),
  'leaves a pipe and waits at it': call('import os', 'os.mkfifo("/tmp/p")', 'return open("/tmp/p").read()'),
  'runs what it wrote': call(
    'import os',
    'open("/tmp/x", "w").write("#!/bin/sh\\nexit 0")',
    'os.chmod("/tmp/x", 0o777)',
    'os.execv("/tmp/x", ["x"])',
  ),
  'fills a file in memory': call('import os', 'fd = os.memfd_create("x")', 'while True: os.write(fd, bytes(10**7))'),
  'uses up its descriptors': call('kept = []', 'while True: kept.append(open("/dev/null"))'),
  'connects to the network': call('import socket', 's = socket.socket()', 's.connect(("1.1.1.1", 53))', 'return 9'),
  'asks by UDP': call(
    'import socket',
    's = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)',
    's.sendto(b"x", ("127.0.0.1", 9))',
    'return 9',
  ),
  'reads its standard input': call('import os, sys', 'return [os.read(0, 100), sys.stdin.read()] and 9'),
};

const forgeries: Readonly<Record<string, string>> = {
  'writes answers to every descriptor': call(
    'import os',
    'for fd in range(64):',
    '    try: os.write(fd, b"v3" * 100)',
    '    except OSError: pass',
    'os._exit(0)',
  ),
  'closes every descriptor': call('import os', 'os.closerange(0, 4096)', 'return 9'),
  'puts another file in the place of the pipe': call('import os', 'for fd in range(3, 64): os.dup2(1, fd)', 'return 9'),
  'steals the nonce and answers zero': stealing(
    "for _ in range(3): record(b'v', b'0')",
    "record(b'E', b'')",
    'os._exit(0)',
  ),
  'steals the nonce and answers that it is done': stealing("record(b'E', b'')", 'os._exit(0)'),
  'steals the nonce and answers more than was asked': stealing(
    "for _ in range(9): record(b'v', b'0')",
    "record(b'E', b'')",
    'os._exit(0)',
  ),
  'steals the nonce and answers no value': stealing(
    "record(b'v', b'}{')",
    "record(b'v', b'3')",
    "record(b'v', b'3')",
    "record(b'E', b'')",
    'os._exit(0)',
  ),
  'steals the nonce and announces four gigabytes': stealing(
    'fd, nonce = stolen()',
    "os.write(fd, b'v' + nonce + b'\\xff' * 12)",
    'return 9',
  ),
  'steals the nonce and passes on to the next program': stealing(
    "record(b'N', b'')",
    "for _ in range(4): record(b'v', b'3')",
    "record(b'E', b'')",
    'os._exit(0)',
  ),
  'steals the nonce and uses a tag that does not exist': stealing("record(b'?', b'')", 'return 9'),
  'floods the pipe': stealing('fd, nonce = stolen()', 'while True: os.write(fd, bytes(65536))'),
  'floods the pipe with records': stealing("while True: record(b'v', b'0' * 60000)"),
  'returns an object equal to everything':
    'class Any:\n    def __eq__(self, other): return True\n    def __hash__(self): return 3\n' +
    'def add(a, b): return Any()',
  'returns an int equal to everything':
    'class Any(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n' +
    'def add(a, b): return Any(9)',
  'replaces the builtins':
    'import builtins\nfor name in ("type", "isinstance", "len", "str", "list", "int", "repr", "print"):\n' +
    '    setattr(builtins, name, lambda *a: 3)\ndef add(a, b): return 9',
  'deletes the builtins':
    'import builtins\nfor name in list(vars(builtins)):\n    delattr(builtins, name)\ndef add(a, b): return 9',
  'replaces the class of exceptions':
    'import builtins\nbuiltins.AssertionError = builtins.BaseException = int\ndef add(a, b): raise ValueError',
  'empties sys.modules': 'import sys\nsys.modules.clear()\ndef add(a, b): return 9',
  'patches json and marshal':
    'import json, json.encoder, marshal\njson.loads = json.dumps = marshal.loads = lambda *a, **k: [1, 2]\n' +
    'json.encoder.c_encode_basestring_ascii = lambda s: "3"\ndef add(a, b): return "x"',
  'patches os':
    'import os\nreal = os.write\nos.write = lambda fd, data: real(fd, data.replace(b"9", b"3"))\n' +
    'os._exit = lambda code: None\ndef add(a, b): return 9',
  'patches the clock': 'import time\ntime.perf_counter_ns = lambda: 0\ndef add(a, b): return 9',
  'finds what it was compared with in frames':
    'import sys\ndef add(a, b):\n    frame = sys._getframe(1)\n    while frame:\n' +
    '        for v in list(frame.f_locals.values()):\n            if isinstance(v, dict) and "expected" in v: ' +
    'return v["expected"]\n        frame = frame.f_back\n    return 9',
  'finds what it was compared with among all objects':
    'import gc\ndef add(a, b):\n    gc.unfreeze()\n    for o in gc.get_objects():\n' +
    '        if isinstance(o, (list, tuple)) and o and list(o) == [3, 0, -2]: return o[(a + b - 3) % 3]\n    return 9',
  'reads the cases that are still to come':
    'import sys\ndef add(a, b):\n    frame = sys._getframe(1)\n    while frame:\n' +
    '        suite = frame.f_locals.get("suite")\n        if suite is not None: ' +
    'return [str(c) for c in suite.cases] + [str(getattr(suite, "expected", None))]\n        frame = frame.f_back',
  'changes the cases that are still to come':
    'import sys\ndef add(a, b):\n    frame = sys._getframe(1)\n    while frame:\n' +
    '        suite = frame.f_locals.get("suite")\n        if suite is not None: suite.cases[:] = suite.cases[:1]; ' +
    'suite.entry = "other"\n        frame = frame.f_back\n    return 9',
  'replaces the code of the encoder':
    'import gc, types\nfor o in gc.get_objects():\n    if type(o) is types.FunctionType and o.__name__ in ' +
    '("encode", "encoded", "call"):\n        o.__code__ = (lambda *a: b"v9").__code__\ndef add(a, b): return 9',
  'answers for the harness through a trace':
    'import sys\ndef trace(frame, event, arg):\n    if event == "return": frame.f_locals["value"] = 3\n' +
    '    return trace\nsys.settrace(trace)\nsys.setprofile(trace)\ndef add(a, b): return 9',
  'lowers the recursion limit': 'import sys\nsys.setrecursionlimit(20)\ndef add(a, b): return [[[[[[9]]]]]]',
  'fails while its value is read':
    'class L(list):\n    def __iter__(self): raise SystemExit\ndef add(a, b): return L([1])',
  'prints what an answer looks like': call('print("v3")', 'print(\'{"run":1,"programs":[]}\')', 'return 9'),
  'is named like the harness':
    'import sys\nsys.modules["harness"] = sys.modules["child"] = sys\n__name__ = "harness"\ndef add(a, b): return 9',
  'raises a class whose name is made by a loop':
    'class M(type):\n    @property\n    def __name__(cls):\n        while True: pass\n' +
    'class E(BaseException, metaclass=M): pass\ndef add(a, b): raise E',
  'raises with a message of 100 MB': 'def add(a, b): raise ValueError("x" * 10**8)',
};

const limits: Readonly<Record<string, string>> = {
  'loops for ever': 'while True: pass',
  'loops for ever inside C': call('return max(iter(int, 1))'),
  'loops and catches everything': call(
    'while True:',
    '    try:',
    '        while True: pass',
    '    except BaseException: pass',
  ),
  'ignores every signal and loops':
    'import signal\nfor s in signal.valid_signals():\n    try: signal.signal(s, signal.SIG_IGN)\n' +
    '    except Exception: pass\nwhile True: pass',
  'loops in a finaliser':
    'class F:\n    def __del__(self):\n        while True: pass\ndef add(a, b):\n    F()\n    return 9',
  'loops while it is described':
    'class E(Exception):\n    def __str__(self):\n        while True: pass\ndef add(a, b): raise E',
  sleeps: call('import time', 'time.sleep(1000)'),
  'waits for itself': call('import threading', 'lock = threading.Lock()', 'lock.acquire()', 'lock.acquire()'),
  'raises its own limits': call(
    'import resource',
    'for limit in (resource.RLIMIT_CPU, resource.RLIMIT_AS):',
    '    try: resource.setrlimit(limit, (-1, -1))',
    '    except (ValueError, OSError): pass',
    'while True: pass',
  ),
  'fills the memory': call('kept = []', 'while True: kept.append(b"x" * 10**6)'),
  'fills the memory and goes on': call(
    'kept = []',
    'while True:',
    '    try: kept.append("x" * 10**6 + str(len(kept)))',
    '    except MemoryError: pass',
  ),
  'fills shared memory': call(
    'import mmap',
    'kept = []',
    'while True:',
    '    m = mmap.mmap(-1, 10**7); m.write(b"x" * 10**7); kept.append(m)',
  ),
  'fills the memory by many processes': call(
    'import os, time',
    'for _ in range(8):',
    '    if os.fork() == 0:',
    '        x = b"x" * (120 * 10**6)',
    '        time.sleep(1000)',
    'time.sleep(0.5)',
    'return 9',
  ),
  'returns 100 MB': call('return "x" * 10**8'),
  'returns much': call('return [["x" * 1000] * 1000] * 1000'),
  'returns a list that contains itself': call('x = []', 'x.append(x)', 'return x'),
  'returns a list 100,000 deep': call('x = []', 'for _ in range(100_000): x = [x]', 'return x'),
  'returns a number of 100 million bits': call('return 1 << 10**8'),
  'prints without end': call('import os', 'while True: os.write(1, b"x" * 65536)'),
  'recurses without end': 'import sys\nsys.setrecursionlimit(2**31 - 1)\ndef add(a, b): return add(a, b)',
  'recurses in C':
    'import sys\nsys.setrecursionlimit(2**31 - 1)\nclass R:\n    def __repr__(self): return repr(self)\n' +
    'def add(a, b): return repr(R())',
  'is 3,000 parentheses': `x = ${'('.repeat(3000)}${')'.repeat(3000)}`,
  'is 200,000 signs': `x = ${'-'.repeat(200_000)}1`,
  'is a power that is folded': 'x = 9**9**9\ndef add(a, b): return 9',
  'crashes the interpreter by forged bytecode':
    'def add(a, b): return 9\nadd.__code__ = add.__code__.replace(co_code=bytes([255, 255] * 40), co_stacksize=1)',
  'crashes it by a forged constant':
    'def add(a, b): return 9\nadd.__code__ = add.__code__.replace(co_consts=(), co_names=(), co_varnames=("a", "b"))',
};

/** Those that end at once: a hundred of them at the same time still take seconds. */
export const shortPrograms: Readonly<Record<string, string>> = {
  ...signals,
  ...kernel,
  ...proc,
  ...files,
  ...forgeries,
};

export const hostilePrograms: Readonly<Record<string, string>> = { ...processes, ...shortPrograms, ...limits };

/** A program that reads a file, if it can. */
export const reading = (path: string): string => call(`return open(${JSON.stringify(path)}).read()`);
