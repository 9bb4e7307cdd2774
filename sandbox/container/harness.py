"""
The side of the sandbox that a program shares its process with: loads a module, calls its entry point with decoded inputs and encodes what
comes back (schemas/task.ts, `Value`). Works with its own copy of the builtins, so that a program which replaces them changes only what it sees
itself. It knows no expected value; where a case is test code, what that code expects is there to be stolen, and the verdict is labelled so.

`load` and `call` answer with bytes whose first byte tells what they are: v value, x exception, s syntax error, q early exit, m memory,
d missing dependency, o too much output.
"""
import builtins
import collections
import itertools
import json.encoder
import marshal
import operator
import resource
import sys
import time
import types

MAX_DEPTH = 400
TESTS_FILE = '<tests>'
NO_MEMORY = b'mMemoryError'
# An interpreter asks for no more than 1 MiB at once for small objects.
SPARE_BYTES = 4 << 20
LEAST_DEPTH = 1000


def make():
    escape = json.encoder.c_encode_basestring_ascii
    loads = marshal.loads
    modules = sys.modules
    set_digits, get_digits = sys.set_int_max_str_digits, sys.get_int_max_str_digits
    set_depth, get_depth = sys.setrecursionlimit, sys.getrecursionlimit
    new_module = types.ModuleType
    type_name, is_kind, plain = type.__dict__['__name__'].__get__, type.__subclasscheck__, str.__str__
    raised_now, trace_of = sys.exc_info, BaseException.__dict__['__traceback__'].__get__
    # What CPython 3.11 raises for want of memory for a frame.
    NO_FRAME = b'SystemError: error return without exception set'
    # Given back once the program has failed, for what is still to be said of it. Untouched, so that it takes address space only.
    spare = [bytes(SPARE_BYTES)]
    real_builtins, real_open = builtins, open
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
    wall, processor, usage, myself = time.perf_counter_ns, time.process_time_ns, resource.getrusage, resource.RUSAGE_SELF

    class Full(BaseException):
        pass

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
        t = type(value)
        if t is int and -safe <= value <= safe and budget > 20:
            return b'v%d' % value
        if t is bool:
            return b'vtrue' if value else b'vfalse'
        if t is str and len(value) * 6 + 2 <= budget and is_ascii(value):
            return b'v' + escape(value).encode()
        if t is float and budget > 40:
            return b'v{"f":"%b"}' % float_text(value).encode()
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

    def failed(error):
        """How an exception ends the program: describing it runs the program's code, which may have left no memory, and few frames."""
        try:
            if get_depth() < LEAST_DEPTH:
                set_depth(LEAST_DEPTH)
            return classify(error)
        except MemoryError:
            return NO_MEMORY
        finally:
            spare.clear()

    def parse(source):
        """A code object, or the answer that says why there is none."""
        try:
            return compile(source.decode('utf-8', 'surrogatepass'), '<program>', 'exec', dont_inherit=True), None
        except BaseException as error:
            # A MemoryError among them: the parser's word for a source that has more in each other than its stack takes.
            return None, b's' + describe(error)

    def load(code, name, tests):
        """Runs the module; answers with its entry point, the tests' namespace and `v`, or with two Nones and why not."""
        module = new_module('program')
        modules['program'] = module
        space = module.__dict__
        space['__builtins__'] = real_builtins
        try:
            exec(code, space)
            if name not in space:
                raise NameError('the program defines no ' + repr(name))
            entry = space[name]
            return entry, prepare(space, entry, tests) if tests else None, b'v'
        except:  # Also what is no BaseException.
            return None, None, failed(raised_now()[1])

    def prepare(space, entry, tests):
        """The namespace of the tests: what their prelude defines, over it what the program does."""
        prelude, alias = tests
        around = {'__builtins__': real_builtins, '__name__': 'tests'}
        exec(compile(prelude, TESTS_FILE, 'exec', dont_inherit=True), around)
        for key, value in space.items():
            if key[:2] != '__':
                around[key] = value
        around[alias] = entry
        return around

    def run_test(code, around):
        try:
            exec(compile(code, TESTS_FILE, 'exec', dont_inherit=True), around)
            return b'vtrue'
        except AssertionError as error:
            return b'vfalse' if raised_in(error) == TESTS_FILE else failed(error)
        except:  # Also what is no BaseException.
            return failed(raised_now()[1])

    def raised_in(error):
        trace = trace_of(error)
        while trace.tb_next is not None:
            trace = trace.tb_next
        return trace.tb_frame.f_code.co_filename

    def call(entry, around, packed, budget):
        arguments = loads(packed)
        if type(arguments) is str:
            return run_test(arguments, around)
        try:
            return encoded(entry(*arguments), budget)
        except:  # Also what is no BaseException.
            return failed(raised_now()[1])

    def waited_ns():
        """How long this process has been ready to run while others had its core; 0 where the kernel does not tell."""
        try:
            with real_open('/proc/self/schedstat') as file:
                return int(file.readline().split()[1])
        except (OSError, IndexError):
            return 0

    def timed(entry, around, packed):
        """
        A case for its time: (`v` and [nanoseconds of CPU time, involuntary switches, nanoseconds that it waited for its core], wall nanoseconds,
        None or how it raised). What comes back is dropped; decoding and compiling come before the clocks start.
        """
        arguments = loads(packed)
        code = compile(arguments, TESTS_FILE, 'exec', dont_inherit=True) if type(arguments) is str else None
        switches, waited = usage(myself).ru_nivcsw, waited_ns()
        wall_at, cpu_at = wall(), processor()
        raised = None
        try:
            if code is None:
                entry(*arguments)
            else:
                exec(code, around)
        except:  # Also what is no BaseException.
            raised = raised_now()[1]
        cpu_ns, wall_ns = processor() - cpu_at, wall() - wall_at
        answer = b'v[%d,%d,%d]' % (cpu_ns, usage(myself).ru_nivcsw - switches, waited_ns() - waited)
        return answer, wall_ns, None if raised is None else failed(raised)

    return parse, load, call, timed, spare


def unpack(v):
    """An encoded `Value` (from JSON) as a Python value."""
    t = type(v)
    if t is list:
        return [unpack(e) for e in v]
    if t is not dict:
        return v
    (tag, body), = v.items()
    if tag == 'f':
        return float(body)
    if tag == 't':
        return tuple([unpack(e) for e in body])
    if tag == 'd':
        return {unpack(k): unpack(e) for k, e in body}
    if tag == 's':
        return {unpack(e) for e in body}
    if tag == 'fs':
        return frozenset([unpack(e) for e in body])
    if tag == 'i':
        return int(body)
    if tag == 'b':
        return bytes.fromhex(body)
    if tag == 'c':
        return complex(float(body[0]), float(body[1]))
    raise ValueError('input: unknown tag ' + tag)


def own_copy():
    """`make`'s functions over a copy of the builtins: replacing a builtin does not reach them."""
    space = {'__builtins__': dict(vars(builtins)), '__name__': 'harness'}
    space.update(MAX_DEPTH=MAX_DEPTH, TESTS_FILE=TESTS_FILE, NO_MEMORY=NO_MEMORY, SPARE_BYTES=SPARE_BYTES, LEAST_DEPTH=LEAST_DEPTH)
    for module in (builtins, collections, itertools, json, marshal, operator, resource, sys, time, types):
        space[module.__name__] = module
    return types.FunctionType(make.__code__, space)()
