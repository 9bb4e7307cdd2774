"""
The judge: Python's own `==`, and the other checks of the suites' oracles, on values that only Python can compare. It runs in a process of its own that holds what is
expected and a description of what a program returned (describe.py), never the program.
"""
import collections
import datetime
import decimal
import fractions
import functools
import math
import operator
import types
import typing


class Unknown(Exception):
    """Only the program's own code could say; its word is not taken."""


class Own:
    """A value whose type brings its own `==`."""

    def __eq__(self, other):
        raise Unknown

    def __hash__(self):
        raise Unknown

    def __or__(self, other):
        raise Unknown

    __ror__ = __or__


def judge(check, described, expected):
    """
    True, False, or None when it cannot be told. `described`: (description, truth or None, items or None). `expected`: ['value', a value] or
    ['described', (description, truth, items)]. `check`: a name and what belongs to it.
    """
    try:
        wanted = expected[1] if expected[0] == 'value' else rebuilt(expected[1][0])
        return bool(CHECKS[check[0]](described, wanted, *check[1:]))
    except (Unknown, MemoryError, RecursionError, ImportError):
        return None
    except Exception:
        # Where the comparison raises, the benchmark's own test fails.
        return False


def equal(described, wanted, *others):
    value = rebuilt(described[0])
    return any(bool(value == each) for each in (wanted, *others))


def evalplus(described, wanted, atol, *others):
    """EvalPlus 0.3.1: equal, or close where both are of one type."""
    value = rebuilt(described[0])
    if equal(described, wanted, *others):
        return True
    if atol == 0 or type(value) is not type(wanted):
        return False
    import numpy
    # It would broadcast what is empty, or one, against anything.
    return numpy.shape(value) == numpy.shape(wanted) and numpy.allclose(value, wanted, rtol=1e-07, atol=atol)


def truth(described, wanted):
    if described[1] is None:
        raise Unknown
    return described[1] == wanted


def items_of(described):
    if described[2] is None:
        raise TypeError('no items')
    return [rebuilt(each) for each in described[2]]


def root(described, _wanted, coefficients, atol):
    x = rebuilt(described[0])
    return abs(sum(factor * math.pow(x, power) for power, factor in enumerate(coefficients))) <= atol


CHECKS = {
    'equal': equal,
    'evalplus': evalplus,
    'truth': truth,
    'set': lambda described, wanted: set(items_of(described)) == set(wanted),
    'tuple': lambda described, wanted: tuple(items_of(described)) == tuple(wanted),
    'below': lambda described, wanted, most: abs(rebuilt(described[0]) - wanted) < most,
    'close': lambda described, wanted, relative, absolute: math.isclose(rebuilt(described[0]), wanted, rel_tol=relative, abs_tol=absolute),
    'root': root,
}


def rebuilt(description):
    if type(description) is list:
        return [rebuilt(each) for each in description]
    if type(description) is not tuple:
        return description
    return KINDS[description[0]](*description[1:])


def all_of(descriptions):
    return [rebuilt(each) for each in descriptions]


def mapping(pairs):
    return {rebuilt(key): rebuilt(value) for key, value in pairs}


def counter(pairs):
    made = collections.Counter()
    dict.update(made, mapping(pairs))
    return made


def moment(kind, parts):
    *fields, zone = all_of(parts)
    return zone if type(zone) is Own else kind(*fields, tzinfo=zone)


def alias(origin, items, is_unpacked):
    made = types.GenericAlias(rebuilt(origin), tuple(all_of(items)))
    return next(iter(made)) if is_unpacked else made


def typing_alias(origin, items):
    return typing._GenericAlias(rebuilt(origin), tuple(all_of(items)))


def from_numpy(dtype, value, is_array):
    import numpy
    array = numpy.array(rebuilt(value), dtype=dtype)
    return array if is_array else array[()]


KINDS = {
    'tuple': lambda items: tuple(all_of(items)),
    'text': lambda code_points: code_points.decode('utf-32-le', 'surrogatepass'),
    'set': lambda items: set(all_of(items)),
    'frozenset': lambda items: frozenset(all_of(items)),
    'dict': mapping,
    'Counter': counter,
    'OrderedDict': lambda pairs: collections.OrderedDict(mapping(pairs)),
    'Decimal': decimal.Decimal,
    'Fraction': fractions.Fraction,
    'range': range,
    'deque': lambda items: collections.deque(all_of(items)),
    'bytearray': bytearray,
    'keys': lambda items: dict.fromkeys(all_of(items)).keys(),
    'items': lambda pairs: mapping(pairs).items(),
    'date': datetime.date,
    'datetime': lambda *parts: moment(datetime.datetime, parts),
    'time': lambda *parts: moment(datetime.time, parts),
    'timedelta': datetime.timedelta,
    'timezone': lambda *offset: datetime.timezone(datetime.timedelta(*offset)),
    # A process has one of each name, which equals nothing else.
    'zone': functools.cache(lambda key: object()),
    'class': functools.cache(lambda module, name: type(name, (), {})),
    'alias': alias,
    'typing': typing_alias,
    'union': lambda items: functools.reduce(operator.or_, all_of(items)),
    'ellipsis': lambda: ...,
    'slice': lambda *parts: slice(*all_of(parts)),
    'namespace': lambda items: types.SimpleNamespace(**mapping(items)),
    'numpy': from_numpy,
    'base': rebuilt,
    'foreign': lambda name: object(),
    'own': lambda name: Own(),
}
