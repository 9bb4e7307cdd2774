"""
Pylint, kept loaded: its messages for one program after another, the same as `python3 -m pylint solution.py` gives in a folder that holds nothing else.
Programs are parsed and never run. What Pylint imports for real while it looks at one are C modules of the standard library, by name.
"""
import io
import os
import sys

FILE, MODULE = 'solution.py', 'solution'
FOLDER = '/tmp/quality'
# Where the image keeps it; elsewhere it is among the interpreter's own packages.
PACKAGES = '/opt/pylint'
# Frames of `python3 -m pylint` below the one that checks: what is left of the recursion limit decides how deep a program may nest.
SPAWNED_DEPTH = 5
RECURSION_LIMIT = 1000

OWN_FOLDER = sys.path[0]
if os.path.isdir(PACKAGES):
    sys.path.insert(0, PACKAGES)

from astroid import bases, builder, manager, objects, util  # noqa: E402
from pylint import version as VERSION  # noqa: E402, F401
from pylint.lint import Run  # noqa: E402
from pylint.reporters.json_reporter import JSONReporter  # noqa: E402


class Linter:
    def __init__(self, trials):
        self.cache = manager.AstroidManager().astroid_cache
        # True once a program, or a module that it imports, has changed what astroid knows of another one, as `math.answer = 42` does.
        self.reached_out = False
        self.watch_assignments()
        self.reporter = JSONReporter(io.StringIO())
        enter_folder()
        write_program(b'')
        self.linter = Run([FILE], reporter=self.reporter, exit=False).linter
        for trial in trials:
            self.messages(trial.encode())
        self.cache.pop(MODULE, None)
        # What modules of the standard library change of each other when they are first looked at.
        self.reached_out = False
        hide_own_modules()

    def messages(self, source):
        """[id, symbol, line, column, end line, end column, object, text] of each, in Pylint's order."""
        write_program(source)
        self.cache.pop(MODULE, None)
        self.reporter.messages = []
        sys.setrecursionlimit(RECURSION_LIMIT + depth() - SPAWNED_DEPTH)
        try:
            self.linter.check([FILE])
        finally:
            sys.setrecursionlimit(RECURSION_LIMIT)
        return [[m.msg_id, m.symbol, m.line, m.column, m.end_line, m.end_column, m.obj, m.msg or ''] for m in self.reporter.messages]

    def watch_assignments(self):
        """`delayed_assattr` is astroid's one place where a program's text changes what it knows of modules that are not the program's."""
        record = builder.AstroidBuilder.delayed_assattr

        def delayed_assattr(builder_, node):
            record(builder_, node)
            self.reached_out = self.reached_out or reaches_out(node)

        builder.AstroidBuilder.delayed_assattr = delayed_assattr


def reaches_out(assignment):
    """Whether `x.name = value` may be recorded with something outside the module that it stands in."""
    root = assignment.root()
    try:
        return any(owner is not None and owner.root() is not root for owner in map(owner_of, assignment.expr.infer()))
    except bases.InferenceError:
        return False
    except Exception:
        return True


def owner_of(inferred):
    """What `delayed_assattr` records an attribute of this value with, or None."""
    if type(inferred) in (bases.Instance, objects.ExceptionInstance):
        return inferred._proxied
    return None if isinstance(inferred, (bases.Proxy, util.UninferableBase)) else inferred


def hide_own_modules():
    """A program that imports `wire` means no module of ours."""
    sys.path.remove(OWN_FOLDER)
    for name, module in list(sys.modules.items()):
        if name != '__main__' and (getattr(module, '__file__', None) or '').startswith(f'{OWN_FOLDER}/'):
            del sys.modules[name]


def enter_folder():
    """The folder of the next programs: nothing but the program itself is in it."""
    os.makedirs(FOLDER, exist_ok=True)
    os.chdir(FOLDER)


def write_program(source):
    with open(FILE, 'wb') as file:
        file.write(source)


def depth():
    frame, count = sys._getframe(1), 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count
