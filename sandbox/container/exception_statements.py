"""Counts exception-handling statements in Python programs: `except` handlers (also `except*`) and `raise` statements, from the syntax tree.

Reads JSON lines {"id": ..., "source": "..."} and answers each with a line, in order:
{"id": ..., "handlers": 2, "raises": 1, "reason": null}, or nulls and a reason where the program does not parse:
"syntax_error", or "too_deep" where it nests more deeply than the parser goes.
Programs are read, never run. They are hostile all the same: run this inside a sandbox, with the interpreter that the programs run on, since
that decides what parses.
"""

import ast
import json
import sys
import warnings


def exception_statements(source):
    """(handlers, raises) of a program. Raises what ast.parse does."""
    nodes = list(ast.walk(ast.parse(source)))
    handlers = sum(isinstance(node, ast.ExceptHandler) for node in nodes)
    return handlers, sum(isinstance(node, ast.Raise) for node in nodes)


def counted(source):
    """A program's answer, without its id."""
    try:
        handlers, raises = exception_statements(source)
    except (SyntaxError, ValueError):
        # ValueError: a NUL byte (before Python 3.12), or a lone surrogate, which has no UTF-8.
        return {"handlers": None, "raises": None, "reason": "syntax_error"}
    except (RecursionError, MemoryError):
        return {"handlers": None, "raises": None, "reason": "too_deep"}
    return {"handlers": handlers, "raises": raises, "reason": None}


def main():
    # An invalid escape in a program is a warning about the program, not about us.
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps({"id": question["id"], **counted(question["source"])}), flush=True)


if __name__ == "__main__":
    main()
