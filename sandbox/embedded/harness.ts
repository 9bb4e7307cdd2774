/**
 * The Python side of the embedded sandbox: loads a module, calls its entry point with decoded inputs, encodes what
 * comes back (schemas/task.ts, `Value`). It runs with its own copy of the builtins and of everything else it needs, so
 * that a program which replaces them changes only what it sees itself. It knows no expected value, so there is nothing
 * in it to steal; where a case is test code, what that code expects is there to be stolen, and the verdict is labelled
 * so.
 *
 * `load`, `call` and `settle` take and give bytes; the first byte of an answer tells what it is (`answerTags`).
 *
 * How a value is encoded and an exception is classified stands here and in sandbox/container/harness.py, word for word,
 * which a test holds them to: the process that runs this may read no folder but its own, and an image is built of no
 * files but those of its own. The rest differs, as the interpreters do.
 */
import { lacksSource, markName } from './lacks.ts';

export const answerTags = {
  value: 'v',
  exception: 'x',
  syntaxError: 's',
  earlyExit: 'q',
  memory: 'm',
  missingDependency: 'd',
  outputLimit: 'o',
  /** Before the tag of an exception: it says that this platform cannot do what the program asked for. */
  lacks: 'l',
} as const;

/** Values nested deeper than this are encoded as `{"x": ...}` at that depth. */
const maxDepth = 400;

const harnessSource = String.raw`
import builtins, collections, gc, itertools, json, operator, sys, types

def make():
    scan = json.scanner.c_make_scanner(json.JSONDecoder())
    escape = json.encoder.c_encode_basestring_ascii
    modules = sys.modules
    set_digits, get_digits = sys.set_int_max_str_digits, sys.get_int_max_str_digits
    set_depth, get_depth = sys.setrecursionlimit, sys.getrecursionlimit
    new_module = types.ModuleType
    type_name, is_kind, plain = type.__dict__['__name__'].__get__, type.__subclasscheck__, str.__str__
    raised_now, trace_of = sys.exc_info, BaseException.__dict__['__traceback__'].__get__
    # What CPython 3.11 raises for want of memory for a frame.
    NO_FRAME = b'SystemError: error return without exception set'
    real_builtins = builtins
    counter, default = collections.Counter, collections.defaultdict
    dict_items, dict_keys, dict_values = dict.items, dict.keys, dict.values
    int_text, float_text, list_text = int.__repr__, float.__repr__, list.__repr__
    is_ascii, pair = str.isascii, '[%s,%s]'.__mod__
    same, kind_of, always = operator.is_, type, itertools.repeat
    safe = 2 ** 53
    # Longer collections are walked item by item, so that what is too much is found out on the way.
    MOST_AT_ONCE = 1024
    # Of the value that is being encoded: characters that its text may still take, and where they go.
    room, add = 0, None
    MAX_DEPTH = ${maxDepth}
    NO_MEMORY = b'mMemoryError'
    LEAST_DEPTH = 1000
    tests_file = '<tests>'
    mark, own, look = lacks_mark, BaseException.__dict__['__dict__'].__get__, dict.get
    entry = None
    tests = {}
    kept = []

    class Full(BaseException):
        pass

    def decode(v):
        t = type(v)
        if t is list:
            return [decode(e) for e in v]
        if t is not dict:
            return v
        (tag, body), = v.items()
        if tag == 'f':
            return float(body)
        if tag == 't':
            return tuple([decode(e) for e in body])
        if tag == 'd':
            return {decode(k): decode(e) for k, e in body}
        if tag == 's':
            return {decode(e) for e in body}
        if tag == 'fs':
            return frozenset([decode(e) for e in body])
        if tag == 'i':
            return int(body)
        if tag == 'b':
            return bytes.fromhex(body)
        if tag == 'c':
            return complex(float(body[0]), float(body[1]))
        raise ValueError('input: unknown tag ' + tag)

    def emit(text):
        nonlocal room
        room -= len(text)
        if room < 0:
            raise Full
        add(text)

    def walk(v, depth):
        t = type(v)
        if t is int:
            if -safe <= v <= safe:
                emit(int_text(v))
            elif v.bit_length() * 0.3 > room:
                raise Full
            else:
                emit('{"i":"' + int_text(v) + '"}')
        elif t is str:
            if len(v) > room:
                raise Full
            if v.isascii() or not has_halves(v):
                emit(escape(v))
            else:
                unknown(t)
        elif t is bool:
            emit('true' if v else 'false')
        elif v is None:
            emit('null')
        elif t is float:
            emit('{"f":"' + float_text(v) + '"}')
        elif t is bytes:
            if len(v) * 2 > room:
                raise Full
            emit('{"b":"' + v.hex() + '"}')
        elif t is complex:
            emit('{"c":["' + float_text(v.real) + '","' + float_text(v.imag) + '"]}')
        elif depth >= MAX_DEPTH:
            unknown(t)
        elif t is list:
            items(v, '[', ']', depth)
        elif t is tuple:
            items(v, '{"t":[', ']}', depth)
        elif t is set:
            items(v, '{"s":[', ']}', depth)
        elif t is frozenset:
            items(v, '{"fs":[', ']}', depth)
        elif t is dict or t is default or (t is counter and not any(map(is_zero, dict_values(v)))):
            pairs(v, depth)
        else:
            unknown(t)

    def is_zero(v):
        # A Counter with one is equal to a Counter without it, as no dict is.
        t = type(v)
        return (t is int or t is bool or t is float or t is complex) and v == 0

    def has_halves(v):
        # Two halves of a surrogate pair are not the character, and would be written like it.
        return v.encode('utf-16-le', 'surrogatepass').decode('utf-16-le', 'surrogatepass') != v

    def texts(v):
        """Of the items of a short collection that are all of one plain type; None of any other. Runs nothing of the program's, whatever is in it."""
        if not 1 < len(v) <= MOST_AT_ONCE:
            return None
        for first in v:
            break
        t = type(first)
        if not all(map(same, map(kind_of, v), always(t))):
            return None
        if t is int:
            return list_text([*v])[1:-1].split(', ') if -safe <= min(v) and max(v) <= safe else None
        if t is str:
            return map(escape, v) if sum(map(len, v)) <= room and all(map(is_ascii, v)) else None
        if t is float:
            return ['{"f":"' + text + '"}' for text in list_text([*v])[1:-1].split(', ')]
        if t is bool:
            return ['true' if e else 'false' for e in v]
        return None

    def items(v, opening, closing, depth):
        plain = texts(v)
        if plain is not None:
            emit(opening + ','.join(plain) + closing)
            return
        emit(opening)
        comma = False
        for e in v:
            if comma:
                emit(',')
            comma = True
            walk(e, depth + 1)
        emit(closing)

    def pairs(v, depth):
        keys = texts(dict_keys(v))
        values = None if keys is None else texts(dict_values(v))
        if values is not None:
            emit('{"d":[' + ','.join(map(pair, zip(keys, values))) + ']}')
            return
        emit('{"d":[')
        comma = False
        for k, e in dict_items(v):
            emit(',[' if comma else '[')
            comma = True
            walk(k, depth + 1)
            emit(',')
            walk(e, depth + 1)
            emit(']')
        emit(']}')

    def unknown(t):
        emit('{"x":' + escape(name_of(t)) + '}')

    def encode(value, budget):
        nonlocal room, add
        parts = []
        room, add = budget, parts.append
        walk(value, 0)
        return ''.join(parts)

    def encoded(value, budget):
        digits, depth = get_digits(), get_depth()
        set_digits(0)
        set_depth(5000)
        try:
            return b'v' + encode(value, budget).encode()
        except Full:
            return b'o'
        finally:
            set_digits(digits)
            set_depth(depth)

    def name_of(kind):
        # The name of a class may be of a class of the program's own.
        return plain(type_name(kind))[:100]

    def describe(error):
        try:
            text = str(error)
            text = text[:200].splitlines()[0] if type(text) is str and text else ''
        except MemoryError:
            raise
        except:  # Not all exceptions are a BaseException: a metaclass says what its classes inherit.
            text = ''
        name = name_of(type(error))
        return (name + ': ' + text if text else name).encode('utf-8', 'replace')

    def classify(error):
        """Asks the class for nothing: its metaclass would answer. Raises MemoryError where there is no memory to describe it."""
        kind = type(error)
        described = describe(error)
        if is_kind(SystemExit, kind):
            return b'q' + described
        if is_kind(MemoryError, kind) or described == NO_FRAME:
            return b'm' + described
        if is_kind(ModuleNotFoundError, kind):
            return b'd' + described
        return b'x' + described

    def is_marked(error):
        try:
            return look(own(error), '${markName}') is mark
        except (TypeError, MemoryError):  # Not all exceptions are a BaseException.
            return False

    def failed(error):
        """How an exception ends the program: describing it runs the program's code, which may have left few frames."""
        try:
            if get_depth() < LEAST_DEPTH:
                set_depth(LEAST_DEPTH)
            answer = classify(error)
            return b'l' + answer if answer[:1] != b'm' and is_marked(error) else answer
        except MemoryError:
            return NO_MEMORY

    def load(payload):
        nonlocal entry
        source, name, prelude, alias = scan(payload.decode(), 0)[0]
        try:
            code = compile(source, '<program>', 'exec', dont_inherit=True)
        except Exception as error:
            return b's' + describe(error)
        module = new_module('program')
        modules['program'] = module
        space = module.__dict__
        space['__builtins__'] = real_builtins
        try:
            exec(code, space)
            if name not in space:
                raise NameError('the program defines no ' + repr(name))
            entry = space[name]
            if alias is not None:
                prepare(space, prelude, alias)
        except:  # Also what is no BaseException.
            return failed(raised_now()[1])
        return b'v'

    def prepare(space, prelude, alias):
        """The namespace of the tests: what their prelude defines, over it what the program does."""
        tests['__builtins__'] = real_builtins
        tests['__name__'] = 'tests'
        exec(compile(prelude, tests_file, 'exec', dont_inherit=True), tests)
        for key, value in space.items():
            if key[:2] != '__':
                tests[key] = value
        tests[alias] = entry

    def run_test(code):
        try:
            exec(compile(code, tests_file, 'exec', dont_inherit=True), tests)
            return b'vtrue'
        except AssertionError as error:
            return b'vfalse' if raised_in(error) == tests_file else failed(error)
        except:  # Also what is no BaseException.
            return failed(raised_now()[1])

    def raised_in(error):
        trace = trace_of(error)
        while trace.tb_next is not None:
            trace = trace.tb_next
        return trace.tb_frame.f_code.co_filename

    def call(payload):
        budget, text = payload.decode().split('\n', 1)
        digits = get_digits()
        set_digits(0)
        arguments = decode(scan(text, 0)[0])
        set_digits(digits)
        if type(arguments) is str:
            return run_test(arguments)
        try:
            value = entry(*arguments)
            # Freeing a deep structure needs more stack than there is; the rollback does it without.
            kept.append(value)
            return encoded(value, int(budget))
        except:  # Also what is no BaseException.
            return failed(raised_now()[1])

    def settle(payload):
        """After the trial programs: what is alive now stays, and is no concern of later collections."""
        del modules['program']
        gc.collect()
        gc.freeze()
        return b'v'

    return load, call, settle

load, call, settle = make()
`;

/** Defines the harness's functions in the main module, over a copy of the builtins. */
export const harnessLoader = `
import builtins
space = {'__builtins__': dict(vars(builtins)), '__name__': 'harness', 'lacks_mark': lacks_mark}
del lacks_mark
exec(${JSON.stringify(harnessSource)}, space)
load, call, settle = space['load'], space['call'], space['settle']
`;

/** Imports what programs use most, and takes the browser's modules away. Run once, before the harness. */
export const preludeSource = `
import abc, ast, bisect, builtins, calendar, cmath, collections, collections.abc, contextlib, copy, dataclasses, datetime, decimal
import enum, fractions, functools, gc, hashlib, heapq, inspect, io, itertools, json, json.scanner, math, numbers, operator, os, pprint
import queue, random, re, statistics, string, struct, sys, textwrap, time, traceback, types, typing, unicodedata, uuid, warnings
import _imp

# The same numbers in every process and on every tier.
random.seed(0)

# The interpreter's package replaces sleep with one that asks JavaScript.
time.sleep = _imp.create_builtin(time.__spec__).sleep
${lacksSource}
class NoBrowser:
    """Keeps the ways to JavaScript from being imported; what must hold is held by the guarded imports, outside."""
    @staticmethod
    def find_spec(name, path=None, target=None, marked=lacks_marked):
        if name == 'pyodide_js':
            # The event loop of the interpreter's package asks for it: so this is what asyncio.run ends with.
            raise marked(ModuleNotFoundError("No module named " + repr(name), name=name))
        if name.partition('.')[0] in ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core'):
            raise ModuleNotFoundError("No module named " + repr(name), name=name)

for name in [n for n in sys.modules if n.partition('.')[0] in ('js', 'pyodide', 'pyodide_js', '_pyodide', '_pyodide_core')]:
    del sys.modules[name]
del lacks_marked
sys.meta_path[:] = [NoBrowser] + [f for f in sys.meta_path if getattr(f, '__module__', '').startswith(('_frozen_importlib', 'importlib'))]
`;
