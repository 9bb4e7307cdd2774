"""
Distinct mutants of programs, the same for the same seed. One JSON request on standard input:
{"seed": n, "count": n, "programs": [{"task": id, "entry": name, "source": text}]};
one JSON line per mutant: {"task", "operator", "source"}.

Most are one or two small edits of the syntax tree. One in a hundred never ends, one in a hundred ends its process
early, one in two hundred does not parse. No edit is inside `while` or introduces a power or a shift: otherwise far
more programs would run forever.
"""
import ast
import json
import random
import sys

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}
OPPOSITE = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
COMPUTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.FloorDiv, ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd, ast.RShift: ast.Add,
}
# Wrong changes of the right return value: most change its type, one only its order.
WRAPPERS = (
    'tuple({})', 'list({})', 'set({})', 'sorted({})', 'str({})', 'float({})', 'int({})', 'bool({})', '[{}]', '({},)',
    'iter({})', 'dict.fromkeys({})',
)
LOOPS = ('while True: pass', 'while True: _ = [0] * 10', 'for _ in iter(int, 1): pass')
EXITS = ('raise SystemExit(0)', 'import sys; sys.exit(0)', 'import os; os._exit(0)', 'exit()')
RAISES = (
    'raise ValueError("mutant")', 'raise BaseException("mutant")', 'assert False', 'raise KeyError(1)',
    'raise StopIteration',
)


def statements(text):
    return ast.parse(text).body


def raise_at(block, index):
    block[index:index] = statements(RAISES[index % len(RAISES)])


class Edits(ast.NodeVisitor):
    """Every edit of a tree as a pair of name and function; each edits the tree in place."""

    def __init__(self, tree):
        self.found = []
        self.visit(tree)

    def add(self, name, node, field, value):
        self.found.append((name, lambda: setattr(node, field, value)))

    def visit_While(self, node):
        pass

    def visit_JoinedStr(self, node):
        pass

    def generic_visit(self, node):
        for field in ('body', 'orelse', 'finalbody'):
            block = getattr(node, field, None)
            if isinstance(block, list):
                self.block(block)
        if isinstance(node, (ast.If, ast.IfExp)):
            self.add('negated condition', node, 'test', ast.UnaryOp(ast.Not(), node.test))
        super().generic_visit(node)

    def block(self, block):
        for index, statement in enumerate(block):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue
            if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Pass)):
                continue
            if isinstance(statement, (ast.Break, ast.Continue)):
                other = ast.Continue() if isinstance(statement, ast.Break) else ast.Break()
                self.found.append(('break, continue', lambda index=index, other=other: block.__setitem__(index, other)))
            self.found.append(('dropped statement', lambda index=index: block.__setitem__(index, ast.Pass())))
            self.found.append(('exception', lambda index=index: raise_at(block, index)))

    def visit_Compare(self, node):
        for name, table in (('comparison', COMPARED), ('opposite comparison', OPPOSITE)):
            for index, operator in enumerate(node.ops):
                if type(operator) in table:
                    swapped = table[type(operator)]()
                    self.found.append((name, lambda index=index, swapped=swapped: node.ops.__setitem__(index, swapped)))
        self.generic_visit(node)

    def visit_BinOp(self, node):
        if type(node.op) in COMPUTED:
            self.add('arithmetic', node, 'op', COMPUTED[type(node.op)]())
        self.found.append(('swapped operands', lambda: vars(node).update(left=node.right, right=node.left)))
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        if type(node.op) in COMPUTED:
            self.add('arithmetic', node, 'op', COMPUTED[type(node.op)]())
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        self.add('and, or', node, 'op', ast.Or() if isinstance(node.op, ast.And) else ast.And())
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.USub):
            self.add('sign', node, 'op', ast.UAdd())
        self.generic_visit(node)

    def visit_Constant(self, node):
        value = node.value
        if isinstance(value, bool):
            self.add('constant', node, 'value', not value)
        elif isinstance(value, (int, float)):
            for step in (1, -1):
                self.add('constant off by one', node, 'value', value + step)
        elif isinstance(value, str):
            for other in (value + 'x', value[:-1]):
                self.add('constant', node, 'value', other)

    def visit_Expr(self, node):
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Return(self, node):
        if node.value is None:
            return
        self.add('wrong return', node, 'value', ast.Constant(None))
        self.add('wrong return', node, 'value', ast.UnaryOp(ast.Not(), node.value))
        for wrapper in WRAPPERS:
            wrapped = ast.parse(wrapper.format(ast.unparse(node.value)), mode='eval').body
            self.add('return of another type', node, 'value', wrapped)
        self.generic_visit(node)

    def visit_Call(self, node):
        if len(node.args) > 1:
            self.add('swapped arguments', node, 'args', node.args[::-1])
        if node.args and isinstance(node.func, ast.Name):
            self.add('call left out', node, 'func', ast.Name('(lambda x, *rest, **named: x)'))
        self.generic_visit(node)


def edited(source, choose):
    """One edit of the source, or None where the choice has none left or writes nothing that parses."""
    tree = ast.parse(source)
    found = Edits(tree).found
    index = choose(len(found))
    if index is None:
        return None
    name, edit = found[index]
    edit()
    text = ast.unparse(ast.fix_missing_locations(tree))
    try:
        ast.parse(text)
    except SyntaxError:
        return None
    return name, text


def inserted(program, name, lines, rng):
    """A statement at the head of the entry point, or of any block in it."""
    tree = ast.parse(program['source'])
    entry = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == program['entry']][-1]
    blocks = [node.body for node in ast.walk(entry) if isinstance(getattr(node, 'body', None), list)]
    block = blocks[0] if rng.random() < 0.7 else rng.choice(blocks)
    block[rng.randrange(len(block) + 1):0] = statements(rng.choice(lines))
    return name, ast.unparse(ast.fix_missing_locations(tree))


def broken(program, rng):
    source = program['source']
    at = rng.randrange(len(source) // 2, len(source))
    return 'syntax', source[:at] + rng.choice('([:)=') + source[at + 1:]


def small_edits(program, rng):
    """
    All single edits in a drawn order, in which those of returns, the most, come later than their share; then edits of
    edited ones.
    """
    source = program['source']
    names = [name for name, _ in Edits(ast.parse(source)).found]
    drawn = [rng.random() * (4 if 'return' in name else 1) for name in names]
    texts = []
    for index in sorted(range(len(names)), key=drawn.__getitem__):
        mutant = edited(source, lambda count: index)
        if mutant is not None:
            texts.append(mutant[1])
            yield mutant
    for _ in range(1000 if texts else 0):
        mutant = edited(rng.choice(texts), lambda count: rng.randrange(count) if count else None)
        if mutant is not None:
            yield f'second: {mutant[0]}', mutant[1]


def main():
    request = json.load(sys.stdin)
    programs = request['programs']
    rngs = [random.Random(f"{request['seed']}/{program['task']}") for program in programs]
    streams = [small_edits(program, rng) for program, rng in zip(programs, rngs)]
    seen = {(program['task'], ast.unparse(ast.parse(program['source']))) for program in programs}
    made = turn = dry = 0
    while made < request['count'] and dry < len(programs):
        place = turn % len(programs)
        program, rng = programs[place], rngs[place]
        turn += 1
        kind = random.Random(f"{request['seed']}/{turn}").randrange(200)
        mutant = (inserted(program, 'endless loop', LOOPS, rng) if kind < 2
                  else inserted(program, 'early exit', EXITS, rng) if kind < 4
                  else broken(program, rng) if kind == 4 else next(streams[place], None))
        dry = dry + 1 if mutant is None else 0
        if mutant is None or (program['task'], mutant[1]) in seen:
            continue
        seen.add((program['task'], mutant[1]))
        made += 1
        print(json.dumps({'task': program['task'], 'operator': mutant[0], 'source': mutant[1]}))


main()
