/**
 * Programs that lie by what they return, or by what they do to the interpreter around it; for every tier. Each is wrong
 * for `add`, so that a pass is a forgery. Beside them programs that are odd and right: none of them may fail.
 */

/** A function `add` of these lines. */
const call = (...lines: string[]) => `def add(a, b):\n${lines.map((line) => `    ${line}\n`).join('')}`;

const values: Readonly<Record<string, string>> = {
  'returns a class whose metaclass is equal to everything':
    'class M(type):\n    def __eq__(cls, other): return True\n    def __hash__(cls): return 3\n' +
    'class C(metaclass=M): pass\ndef add(a, b): return C',
  'says that its class is int':
    'class Int:\n    __class__ = int\n    def __eq__(self, other): return True\n    def __int__(self): return 3\n' +
    '    __index__ = __int__\ndef add(a, b): return Int()',
  'changes the class of what it returned when it is looked at':
    'class A:\n    def __bool__(self):\n        self.__class__ = B\n        return True\nclass B(A):\n' +
    '    def __eq__(self, other): return True\ndef add(a, b): return A()',
  'is an int whose repr is another':
    'class Int(int):\n    def __repr__(self): return "3"\n    __str__ = __repr__\ndef add(a, b): return Int(9)',
  'is an int whose arithmetic lies':
    'class Int(int):\n    def __add__(self, other): return 3\n' +
    '    __radd__ = __sub__ = __index__ = __int__ = __add__\ndef add(a, b): return Int(9)',
  'is a str whose characters are others':
    'class S(str):\n    def __iter__(self): return iter("3")\n    def __str__(self): return "3"\n' +
    'def add(a, b): return S("x")',
  'is a list that is never the same twice':
    'class L(list):\n    def __iter__(self):\n        self.append(len(self))\n        return super().__iter__()\n' +
    '    def __len__(self): return 3\ndef add(a, b): return L([9])',
  'is a dict that grows while it is read':
    'class D(dict):\n    def items(self):\n        self[len(self)] = 1\n        return super().items()\n' +
    'def add(a, b): return D({1: 2})',
  'hides in a default of a defaultdict':
    'from collections import defaultdict\ndef add(a, b): return defaultdict(lambda: a + b)',
  'returns its sum in a list': 'def add(a, b): return [a + b]',
  'returns its sum as text': 'def add(a, b): return str(a + b)',
  'returns its sum as bytes': 'def add(a, b): return str(a + b).encode()',
  'returns nan': 'def add(a, b): return float("nan")',
  'returns a dict of nan': 'def add(a, b): return {float("nan"): a + b}',
  'returns a set that holds nan': 'def add(a, b): return {float("nan"), a + b}',
  'returns a number with a small imaginary part': 'def add(a, b): return complex(a + b, 5e-324)',
  'returns the next float': 'import math\ndef add(a, b): return math.nextafter(a + b, 9)',
  'returns True for one': 'def add(a, b): return (a + b) == 3',
  'returns an int of 4,400 digits': 'def add(a, b): return 10 ** 4400',
  'returns a generator that never ends': 'def add(a, b):\n    while True: yield a + b',
  'returns a list that contains itself': 'def add(a, b):\n    x = [a + b]\n    x.append(x)\n    return x',
  'returns a list within a dict that contains itself': 'def add(a, b):\n    d = {}\n    d[1] = [d]\n    return d',
  'returns halves of a surrogate pair': 'def add(a, b): return "\\ud83d" + "\\ude00"',
  'returns 3,000,000 characters': 'def add(a, b): return "3" * 3_000_000',
  'returns a coroutine': 'async def add(a, b): return a + b',
  'returns its own frame': 'import sys\ndef add(a, b): return sys._getframe()',
  'returns a proxy of the sum':
    'import weakref\nclass I:\n    def __init__(self, n): self.n = n\n    def __eq__(self, other): return True\n' +
    'kept = []\ndef add(a, b):\n    kept.append(I(a + b))\n    return weakref.proxy(kept[-1])',
  'returns the type of the sum': 'def add(a, b): return type(a + b)',
  'returns an alias of types that holds the sum': 'def add(a, b): return list[a + b]',
  'says that its class is types.UnionType':
    'import types\nclass U:\n    __class__ = types.UnionType\n    __args__ = (3,)\n' +
    '    def __eq__(self, other): return True\ndef add(a, b): return U()',
  'raises the sum': 'class Sum(Exception): pass\ndef add(a, b): raise Sum(a + b)',
  'raises StopIteration with the sum': 'def add(a, b): raise StopIteration(a + b)',
  'raises an exception that cannot be described':
    'class E(Exception):\n    def __str__(self): raise E\n    __repr__ = __str__\n' +
    '    def __getattribute__(self, name): raise E\ndef add(a, b): raise E',
  'raises a group of exceptions 500 deep':
    'def add(a, b):\n    e = ValueError(3)\n    for _ in range(500): e = BaseExceptionGroup("x", [e])\n    raise e',
};

const interpreter: Readonly<Record<string, string>> = {
  'finds the harness among all objects and answers for it': call(
    'import gc, types',
    'gc.unfreeze()',
    'for o in gc.get_objects():',
    '    if type(o) is types.FunctionType and o.__name__ in ("encode", "walk", "emit", "encoded", "describe", ' +
      '"classify", "call"):',
    '        try: o.__code__ = (lambda *a, **k: b"v3").__code__',
    '        except ValueError: pass',
    'return 9',
  ),
  'changes the cells of the harness': call(
    'import gc, types',
    'gc.unfreeze()',
    'for o in gc.get_objects():',
    '    if type(o) is types.FunctionType and o.__closure__ and o.__module__ in (None, "harness", "child"):',
    '        for cell in o.__closure__:',
    '            try: cell.cell_contents = lambda *a: "3"',
    '            except Exception: pass',
    'return 9',
  ),
  'changes the locals of every frame below': call(
    'import sys, ctypes',
    'frame = sys._getframe(1)',
    'while frame:',
    '    for name in list(frame.f_locals):',
    '        if name in ("value", "answer", "entry", "arguments"):',
    '            try: frame.f_locals[name] = 3; ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)',
    '            except Exception: pass',
    '    frame = frame.f_back',
    'return 9',
  ),
  'traces every line below': [
    'import sys, threading',
    'def trace(frame, event, arg):',
    '    frame.f_trace = trace; frame.f_trace_opcodes = True',
    '    if "value" in frame.f_locals: frame.f_locals["value"] = 3',
    '    return trace',
    'def add(a, b):',
    '    frame = sys._getframe()',
    '    while frame: frame.f_trace = trace; frame = frame.f_back',
    '    sys.settrace(trace); sys.setprofile(trace); threading.settrace(trace)',
    '    return 9',
  ].join('\n'),
  'writes over small ints': [
    'import ctypes',
    'def add(a, b):',
    '    try:',
    '        for n in range(-5, 257): ctypes.c_uint32.from_address(id(n) + 24).value = 3',
    '    except Exception: pass',
    '    return 9',
  ].join('\n'),
  'patches the types themselves': [
    'import gc',
    'for t in (int, str, list, dict, float, object, type):',
    '    for table in gc.get_referents(t.__dict__):',
    '        try: table["__repr__"] = table["__eq__"] = lambda *a: "3"',
    '        except Exception: pass',
    'def add(a, b): return 9',
  ].join('\n'),
  'puts an import hook before everything': [
    'import sys, types',
    'class Hook:',
    '    def find_spec(self, name, path=None, target=None): raise SystemExit(0)',
    'sys.meta_path.insert(0, Hook()); sys.path_hooks.insert(0, Hook()); sys.path_importer_cache.clear()',
    'for name in list(sys.modules):',
    '    if name not in ("builtins", "sys"): sys.modules[name] = types.ModuleType(name)',
    'def add(a, b): return 9',
  ].join('\n'),
  'patches math, copy and json for the cases that follow': [
    'import math, copy, json, random, functools',
    'for m in (math, copy, json, random, functools):',
    '    for name in list(vars(m)):',
    '        if callable(vars(m)[name]): setattr(m, name, lambda *a, **k: 3)',
    'def add(a, b): return math.fsum([a, b]) * 3',
  ].join('\n'),
  'ends the process in a finaliser':
    'import os\nclass F:\n    def __del__(self): os._exit(0)\ndef add(a, b):\n    F()\n    return 9',
  'answers rightly for the first case and ends the process':
    'import os\ndef add(a, b):\n    if a != 1: os._exit(0)\n    return a + b',
  'answers rightly for the first case and raises SystemExit(0)':
    'def add(a, b):\n    if a != 1: raise SystemExit(0)\n    return a + b',
  'hooks exceptions, the end and unraisable ones': [
    'import sys, atexit, os',
    'sys.excepthook = sys.unraisablehook = lambda *a: os._exit(0)',
    'atexit.register(os._exit, 0)',
    'def add(a, b): raise ValueError',
  ].join('\n'),
  'adds an audit hook that ends the process':
    'import sys, os\nsys.addaudithook(lambda *a: os._exit(0) if a[0] in ("compile", "marshal.loads", "exec") ' +
    'else None)\ndef add(a, b): return 9',
  'changes its arguments and gives them back': 'seen = []\ndef add(a, b):\n    seen.append(a)\n    return seen',
  'sets the recursion limit to what there is':
    'import sys, inspect\nsys.setrecursionlimit(len(inspect.stack()) + 12)\ndef add(a, b): return [[[[9]]]]',
  'forbids long ints': 'import sys\nsys.set_int_max_str_digits(640)\ndef add(a, b): return 10 ** 2000',
  'turns collection on with thresholds of one and a callback': [
    'import gc',
    'def stop(phase, info): raise SystemExit(0)',
    'gc.callbacks.append(stop); gc.set_threshold(1, 1, 1); gc.enable()',
    'def add(a, b): return [[] for _ in range(1000)]',
  ].join('\n'),
  'describes itself before it is asked to':
    'evenkeel_described = lambda *a: (3, True, None)\nevenkeel_described_in = {"make": lambda *a: lambda *b: 3}\n' +
    'from fractions import Fraction\ndef add(a, b): return Fraction(9)',
  'is another program when it is asked to describe itself':
    'import sys\nfrom fractions import Fraction\ndef add(a, b): return Fraction(9)\nif "evenkeel_described" in ' +
    'open(__file__ if "__file__" in globals() else "/dev/null").read(): add = lambda a, b: a + b',
};

const descriptors: Readonly<Record<string, string>> = {
  'closes what it has and opens others in their place': call(
    'import os',
    'for fd in range(10):',
    '    try: os.close(fd)',
    '    except OSError: pass',
    'for fd in range(10): os.open("/dev/null", os.O_RDWR)',
    'return 9',
  ),
  'puts its own pipe in place of each descriptor': call(
    'import os',
    'r, w = os.pipe()',
    'for fd in range(10):',
    '    if fd not in (r, w):',
    '        try: os.dup2(w, fd)',
    '        except OSError: pass',
    'return 9',
  ),
  'sends itself every signal': call(
    'import os, signal',
    'for s in sorted(signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}):',
    '    try: signal.signal(s, lambda *a: os._exit(0)); os.kill(os.getpid(), s)',
    '    except Exception: pass',
    'return 9',
  ),
  'writes over the memory of its answer': [
    'import threading, sys, ctypes',
    'def spin():',
    '    while True:',
    '        for f in sys._current_frames().values():',
    '            for v in list(f.f_locals.values()):',
    '                if type(v) is bytes and v[:1] == b"v": ctypes.memmove(id(v) + 32, b"v3", 2)',
    'threading.Thread(target=spin, daemon=True).start()',
    'def add(a, b): return 9',
  ].join('\n'),
  'crashes by faulthandler': call('import faulthandler', 'faulthandler._sigsegv()', 'return 9'),
  'maps memory over itself': call(
    'import mmap, ctypes',
    'libc = ctypes.CDLL(None)',
    'libc.mmap(id(add) & ~4095, 4096, 0, 0x32, -1, 0)',
    'return 9',
  ),
};

export const hostileValues: Readonly<Record<string, string>> = { ...values, ...interpreter, ...descriptors };

/** Right for `add`, in ways that a judge might hold against them. */
export const oddAndRight: Readonly<Record<string, string>> = {
  'returns a bool where it is one or zero, a float elsewhere':
    'def add(a, b): return {0: False, 1: True}.get(a + b, float(a + b))',
  'returns a complex number without imaginary part': 'def add(a, b): return complex(a + b, -0.0)',
  'returns a fraction': 'from fractions import Fraction\ndef add(a, b): return Fraction(a) + b',
  'returns a decimal': 'from decimal import Decimal\ndef add(a, b): return Decimal(a) + b',
  'returns a subclass of int': 'class Int(int): pass\ndef add(a, b): return Int(a + b)',
  'returns minus zero': 'def add(a, b): return (a + b) or -0.0',
  'prints what an answer looks like': 'def add(a, b):\n    print("v9" * 1000)\n    return a + b',
  'has a name of ours':
    'harness = child = value = answer = None\ndef add(a, b):\n    nonce, fd = b"x" * 16, 1\n    return a + b',
  'catches everything that it raises':
    'def add(a, b):\n    try: raise SystemExit\n    except BaseException: return a + b',
  'is a class': 'class add(int):\n    def __new__(cls, a, b): return a + b',
  'is a partial function': 'from functools import partial\nadd = partial(lambda c, a, b: a + b, None)',
};
