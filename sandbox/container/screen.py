"""
Whether a compiled program may share a process with others of its batch. Cheap and one-sided: a program that names anything by which it could
reach or change what others see goes to a process of its own. So does one that names `type`, as such or by what gives it: a class made by it has
methods whose names are texts, which are not looked at.
"""
import types

ALLOWED_IMPORTS = frozenset(
    'math cmath re collections collections.abc itertools functools heapq bisect string typing operator statistics datetime copy fractions random'.split())
ALLOWED_UNDERSCORE = frozenset(('_', '__', '__init__', '__name__'))
DENIED = frozenset('''
exec eval compile open input globals locals vars setattr delattr getattr breakpoint help exit quit memoryview
attrgetter methodcaller get_type_hints ForwardRef update_wrapper wraps dispatch_table copyreg types enum decimal numbers
sys os gc ctypes signal threading inspect importlib builtins codecs weakref warnings io json pickle marshal time
gi_frame gi_code gi_yieldfrom cr_frame cr_code ag_frame ag_code tb_frame tb_next with_traceback
f_back f_globals f_locals f_builtins f_code mro modules seed setstate lru_cache_clear cache_clear purge
register total_ordering contextlib overload clear_overloads get_overloads EXCLUDED_ATTRIBUTES
Formatter get_field vformat ABCMeta NamedTupleMeta
type get_origin
final override no_type_check no_type_check_decorator runtime_checkable dataclass_transform
'''.split())
# Opcodes of this interpreter that change an attribute of something, or read one whose name is a constant: `case object(__dict__=found)`.
import opcode  # noqa: E402
REACHES = frozenset(opcode.opmap[name] for name in ('STORE_ATTR', 'DELETE_ATTR', 'MATCH_CLASS') if name in opcode.opmap)
IMPORT = opcode.opmap['IMPORT_NAME']


def may_share(code):
    names = code.co_names
    if not DENIED.isdisjoint(names):
        return False
    for name in names:
        if name[:1] == '_' and name not in ALLOWED_UNDERSCORE:
            return False
    operations = code.co_code[::2]
    if not REACHES.isdisjoint(operations):
        return False
    if IMPORT in operations and not imports_allowed(code):
        return False
    for constant in code.co_consts:
        if type(constant) is types.CodeType and not may_share(constant):
            return False
    return True


def imports_allowed(code):
    raw = code.co_code
    extended = 0
    for at in range(0, len(raw), 2):
        if raw[at] == opcode.EXTENDED_ARG:
            extended = (extended | raw[at + 1]) << 8
            continue
        if raw[at] == IMPORT and code.co_names[extended | raw[at + 1]] not in ALLOWED_IMPORTS:
            return False
        extended = 0
    return True
