/**
 * Programs whose end is hard to tell: what a class says of itself is the program's word, describing
 * an exception may take memory that is not there, and the program may have changed what the interpreter offers.
 * The same end in every tier.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { createEmbeddedSandbox } from '../../../activities/sandboxes/embedded/embedded.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import { addProgram, goodAdd, limits, passesAdd } from '../programs.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from './engine.ts';

/** Takes all memory and keeps it: first in large parts, then by an object at a time, which a handler survives. */
const fill = (after: string) => `
head, kept, error = None, [], ValueError("x")
def fill():
    global head
    size = 10**6
    while size:
        try: kept.append(bytearray(size))
        except MemoryError: size //= 2
    for _ in range(1000):
        try:
            while True: head = (head,)
        except MemoryError: pass
${after}
`;

const outOfMemory: Readonly<Record<string, string>> = {
  'by small objects': fill('def add(a, b):\n    fill()\n    while True: kept.append([kept])'),
  'at load, and raises what it made before': fill('fill()\nraise error'),
  'in a case, and raises what it made before': fill('def add(a, b):\n    fill()\n    raise error'),
  'while it is asked for its message': fill(
    'class E(Exception):\n    def __str__(self):\n        fill()\n        while True: kept.append([kept])\n' +
      'error = E()\ndef add(a, b): raise error',
  ),
  'while the message of its MemoryError is made': fill(
    'class E(MemoryError):\n    def __str__(self): fill()\nerror = E()\ndef add(a, b): raise error',
  ),
  'by the message': 'class E(Exception):\n    def __str__(self): return "x" * 10**9\ndef add(a, b): raise E',
  'by the text of an argument': 'def add(a, b): raise ValueError("x" * 10**8, 1)',
  'by frames': 'import sys\nsys.setrecursionlimit(10**9)\ndef add(a, b): return add(a, [b])',
  'and answers': fill('def add(a, b):\n    fill()\n    return a + b'),
};

/** A program whose exception is of class E, of metaclass M. */
const ofMetaclass = (body: string, base = 'Exception') =>
  `class M(type):\n    ${body.replaceAll('\n', '\n    ')}\nclass E(${base}, metaclass=M): pass\n` +
  'def add(a, b): raise E("x")';
const named = (body: string) =>
  `class S(str):\n    ${body}\nclass E(Exception): pass\nE.__name__ = S("E")\ndef add(a, b): raise E("x")`;

/** Each ends with `E: x`. */
const odd: Readonly<Record<string, string>> = {
  'has no __mro__': ofMetaclass('@property\ndef __mro__(cls): raise RuntimeError'),
  'ends the process in its __mro__': ofMetaclass('@property\ndef __mro__(cls): raise SystemExit'),
  'loops in its __mro__': ofMetaclass('@property\ndef __mro__(cls):\n    while True: pass'),
  'has an endless __mro__': ofMetaclass('@property\ndef __mro__(cls): return iter(int, 1)'),
  'has a number for its __mro__': ofMetaclass('__mro__ = 3'),
  'says that it is a SystemExit': ofMetaclass('@property\ndef __mro__(cls): return (SystemExit,)'),
  'says that it is a MemoryError': ofMetaclass('@property\ndef __mro__(cls): return (MemoryError,)'),
  'has attributes that end the process': ofMetaclass('def __getattribute__(cls, name): raise SystemExit'),
  'is equal to every class': ofMetaclass('def __eq__(cls, other): return True\ndef __hash__(cls): return 3'),
  'ends the process when it is compared': ofMetaclass(
    'def __eq__(cls, other): raise SystemExit\ndef __hash__(cls): return 3',
  ),
  'is no BaseException': ofMetaclass('def mro(cls): return [cls, object]').replace(
    'metaclass=M): pass',
    'metaclass=M):\n    def __str__(self): return "x"',
  ),
  'has everything for an instance': ofMetaclass(
    'def __instancecheck__(cls, value): return True\ndef __subclasscheck__(cls, other): return True',
  ),
  'has a name that is a number': ofMetaclass('__name__ = 7\n__module__ = 7'),
  'has a name that ends the process': named('def __getitem__(self, key): raise SystemExit'),
  'has a name of bytes': named('def __getitem__(self, key): return b"x"'),
  'says that its class is SystemExit': 'class E(Exception):\n    __class__ = SystemExit\ndef add(a, b): raise E("x")',
  'has a message that ends the process when it is cut':
    'class S(str):\n    def __getitem__(self, key): raise SystemExit\nclass E(Exception):\n' +
    '    def __str__(self): return S("x")\ndef add(a, b): raise E',
  'is raised at the lowest recursion limit': [
    'import sys',
    'class E(Exception): pass',
    'def add(a, b):',
    '    for limit in range(1, 1000):',
    '        try: sys.setrecursionlimit(limit)',
    '        except RecursionError: continue',
    '        raise E("x")',
  ].join('\n'),
};
/** Its text is of a class of the program's own, and is left out. */
const silent = 'has a message that ends the process when it is cut';

/** What they changed is what they see themselves. */
const right: Readonly<Record<string, string>> = {
  'replaces the builtins':
    'import builtins\nfor name in list(vars(builtins)): setattr(builtins, name, lambda *a, **k: 3)\n' +
    'def add(a, b): return a + b',
  'empties the builtins': 'import builtins\nvars(builtins).clear()\ndef add(a, b): return a + b',
};

/** What the parser has no stack for. */
const tooComplex: Readonly<Record<string, string>> = {
  '10,000 signs': `x = ${'-'.repeat(10_000)}1`,
  '5,000 lambdas in each other': `x = ${'lambda: '.repeat(5000)}1`,
  'a tower of 3,000 powers': `x = ${'2**'.repeat(3000)}1`,
};

const tiers = [
  { name: 'container', skip: withoutEngine, note: engineNote, open: () => openOn(testEngine(), { processes: 1 }) },
  { name: 'bubblewrap', skip: withoutWalls, note: wallsNote, open: () => createBubblewrapSandbox({ processes: 1 }) },
  { name: 'embedded', skip: false, note: '', open: () => createEmbeddedSandbox({ processes: 1 }) },
];

describe.each(tiers)('in the $name tier$note', ({ skip, open }) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    if (!skip) sandbox = await open();
  }, 300_000);
  afterAll(() => sandbox?.close());

  it.skipIf(skip).each(Object.entries(outOfMemory))(
    'a program that runs out of memory %s ends for want of memory',
    async (_, source) => {
      const run = await sandbox.run(addProgram(source), { ...limits, caseTimeoutMs: 10_000 });
      expect(run.end, run.detail ?? '').toBe('memory');
      expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
    },
  );

  it.skipIf(skip).each(Object.entries(odd))('an exception whose class %s is an exception', async (what, source) => {
    const run = await sandbox.run(addProgram(source), limits);
    expect([run.end, run.results]).toEqual(['completed', [{ exception: what === silent ? 'E' : 'E: x' }]]);
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
  });

  it.skipIf(skip).each(Object.entries(right))('a right program that %s passes', async (_, source) => {
    const run = await sandbox.run(addProgram(source), limits);
    expect(passesAdd(run), JSON.stringify(run)).toBe(true);
    expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
  });

  it.skipIf(skip).each(Object.entries(tooComplex))('%s are a syntax error', async (_, source) => {
    const run = await sandbox.run(addProgram(`${source}\ndef add(a, b): return a + b`), limits);
    expect([run.end, run.results], run.detail ?? '').toEqual(['syntax_error', []]);
  });
});
