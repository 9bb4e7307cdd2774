"""Runs programs in this interpreter: each alone, which must print and raise nothing, then its asserts."""
import contextlib
import io
import json
import sys


def problem(program, asserts):
    out = io.StringIO()
    namespace = {'__name__': 'program'}
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(program, 'program', 'exec'), namespace)
    except BaseException as error:
        return f'the program raises {type(error).__name__}: {error}'
    if out.getvalue():
        return f'the program prints {out.getvalue()!r}'
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(asserts, 'asserts', 'exec'), namespace)
    except BaseException as error:
        return f'its asserts raise {type(error).__name__}: {error}'
    return None


sys.stdin = io.StringIO()


def problems(text):
    return json.dumps([problem(*pair) for pair in json.loads(text)])
