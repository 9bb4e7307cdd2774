"""
Takes apart what a program's entry point returns, where its type is none of those that are encoded as they are (schemas/task.ts, `Value`). Runs beside the
program, so it says what the program could have returned, and knows nothing that is expected. A description is an exact None, bool, int, float, complex, str or
bytes itself, a list of descriptions, or a tuple: the kind of the value and its parts.
"""


# Nesting that is taken apart, in levels; a level takes up to four of an answer's. What lies deeper can be equal to nothing that is known.
DEEPEST = 90


def make(entry, views):
    """`entry`, answering with (description, its truth or None, descriptions of its items or None); `views` says by call whether items are asked for."""
    import collections
    import dataclasses
    import datetime
    import decimal
    import fractions
    import sys
    import types

    def counter_of(v):
        counter = collections.Counter()
        dict.update(counter, dict.items(v))
        return counter

    plain = (type(None), bool, int, float, complex, str, bytes)
    bases = (
        (int, lambda v: int.__add__(v, 0)), (float, lambda v: float.__add__(v, 0.0)), (complex, lambda v: complex.__add__(v, 0)),
        (str, lambda v: ''.join(str.__iter__(v))), (bytes, lambda v: bytes.__getitem__(v, slice(None))),
        (list, lambda v: list.__getitem__(v, slice(None))), (tuple, lambda v: tuple.__getitem__(v, slice(None))),
        (set, lambda v: set(set.__iter__(v))), (frozenset, lambda v: frozenset(frozenset.__iter__(v))),
        (collections.Counter, counter_of), (collections.OrderedDict, lambda v: collections.OrderedDict(collections.OrderedDict.items(v))), (dict, lambda v: dict(dict.items(v))),
    )
    heap_type = 1 << 9
    calls = iter(views)

    def described(*arguments):
        value = entry(*arguments)
        try:
            truth = bool(value)
        except Exception:
            truth = None
        items = None
        if next(calls, False):
            try:
                items = all_of(value)
            except Exception:
                items = None
        return take_apart(value), truth, items

    def all_of(values, depth=0):
        return [take_apart(each, depth) for each in values]

    def pairs(items, depth=0):
        return [[take_apart(key, depth), take_apart(value, depth)] for key, value in items]

    def take_apart(v, depth=0):
        t = type(v)
        if depth > DEEPEST:
            return ('own', t.__name__[:100])
        if t is str and not v.isascii():
            # An encoded text would make one character of two halves of a surrogate pair.
            return ('text', v.encode('utf-32-le', 'surrogatepass'))
        if t in plain:
            return v
        if t is list:
            return all_of(v, depth + 1)
        if t in (tuple, set, frozenset):
            return (t.__name__, all_of(v, depth + 1))
        if t in (dict, collections.defaultdict):
            return ('dict', pairs(dict.items(v), depth + 1))
        if t in (collections.Counter, collections.OrderedDict):
            return (t.__name__, pairs(t.items(v), depth + 1))
        return of_the_library(t, v, depth + 1) or of_a_base(t, v, depth + 1) or ('own' if has_own_equality(t) else 'foreign', t.__name__[:100])

    def of_the_library(t, v, depth):
        if t is decimal.Decimal:
            return ('Decimal', str(v))
        if t is fractions.Fraction:
            return ('Fraction', v.numerator, v.denominator)
        if t is range:
            return ('range', v.start, v.stop, v.step)
        if t is collections.deque:
            return ('deque', all_of(v, depth))
        if t is bytearray or t is memoryview:
            return ('bytearray', bytes(v))
        if t in (type({}.keys()), type(collections.OrderedDict().keys())):
            return ('keys', all_of(v, depth))
        if t in (type({}.items()), type(collections.OrderedDict().items())):
            return ('items', pairs(v, depth))
        if t is types.MappingProxyType:
            return ('dict', pairs(v.items(), depth))
        if t is datetime.date:
            return ('date', v.year, v.month, v.day)
        if t is datetime.timedelta:
            return ('timedelta', v.days, v.seconds, v.microseconds)
        if t is datetime.datetime:
            return ('datetime', v.year, v.month, v.day, v.hour, v.minute, v.second, v.microsecond, zone_of(v))
        if t is datetime.time:
            return ('time', v.hour, v.minute, v.second, v.microsecond, zone_of(v))
        if t is datetime.timezone:
            return timezone(v.utcoffset(None))
        if is_named_zone(t) and type(v.key) is str:
            return ('zone', take_apart(v.key))
        if t is slice:
            return ('slice', take_apart(v.start, depth), take_apart(v.stop, depth), take_apart(v.step, depth))
        if t is types.SimpleNamespace:
            return ('namespace', pairs(vars(v).items(), depth))
        if v is ...:
            return ('ellipsis',)
        if t is types.GenericAlias:
            return ('alias', take_apart(v.__origin__, depth), all_of(v.__args__, depth), v.__unpacked__)
        if t is types.UnionType:
            return ('union', all_of(v.__args__, depth))
        typing = sys.modules.get('typing')
        if typing is not None and t is typing._GenericAlias:
            # typing.List[int] equals its like by origin and arguments, and never list[int].
            return ('typing', take_apart(v.__origin__, depth), all_of(v.__args__, depth))
        if typing is not None and t is getattr(typing, '_UnionGenericAlias', None):
            return ('union', all_of(v.__args__, depth))
        if issubclass(t, type) and t.__eq__ is type.__eq__:
            return class_of_the_library(v)
        numpy = sys.modules.get('numpy')
        if numpy is not None and isinstance(v, (numpy.generic, numpy.ndarray)) and v.dtype.kind in 'biufcSU':
            return ('numpy', v.dtype.str, take_apart(v.tolist(), depth), isinstance(v, numpy.ndarray))
        return None

    def class_of_the_library(v):
        """A class that every process has one of: none of the program's, which is another in each."""
        module, name = v.__module__, v.__name__
        if type(module) is not str or type(name) is not str or not (module + name).isascii() or module == '__main__':
            return None
        is_known = not v.__flags__ & heap_type or getattr(sys.modules.get(module), name, None) is v
        return ('class', module[:100], name[:100]) if is_known else None

    def zone_of(v):
        """Two moments are equal by their offsets. Where a zone's clocks are turned they are by more than that, and in a zone of the program's own by its own code."""
        if v.tzinfo is None:
            return None
        t = type(v.tzinfo)
        if t is not datetime.timezone and not is_named_zone(t):
            return ('own', t.__name__[:100])
        offset = v.utcoffset()
        if offset != v.replace(fold=1 - v.fold).utcoffset():
            return ('own', t.__name__[:100])
        return None if offset is None else timezone(offset)

    def is_named_zone(t):
        zoneinfo = sys.modules.get('zoneinfo')
        return zoneinfo is not None and t is zoneinfo.ZoneInfo

    def timezone(offset):
        return ('timezone', offset.days, offset.seconds, offset.microseconds)

    def of_a_base(t, v, depth):
        """What inherits from a built-in type and compares like it, is equal to what that is equal to."""
        for base, value_of in bases:
            if issubclass(t, base):
                return ('base', take_apart(value_of(v), depth)) if t.__eq__ is base.__eq__ else None
        return None

    def has_own_equality(t):
        """Whether `==` with a value of another program may hold. Dataclasses compare with their own class only."""
        if t.__eq__ is object.__eq__ or not t.__flags__ & heap_type:
            return False
        made = dataclasses.is_dataclass(t) and t.__dataclass_params__.eq and getattr(t.__eq__, '__code__', None)
        return not (made and made.co_filename == '<string>')

    return described
