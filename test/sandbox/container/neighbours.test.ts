/**
 * Programs of one suite share a process or a slot: none of them may reach what another returns, or find what a judge
 * before it was told.
 */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runAndJudge } from '../../../activities/judging/judge-lane.ts';
import { createBubblewrapSandbox } from '../../../activities/sandboxes/bubblewrap.ts';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import { imageFolder } from '../../../activities/sandboxes/container/container-image.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import type { Suite } from '../../../schemas/task.ts';
import { limits } from '../programs.ts';
import { engineNote, testEngine, wallsNote, withoutEngine, withoutWalls } from './engine.ts';

/** Each changes what the programs after it would see, by a way that names no attribute. */
const meddlers: Readonly<Record<string, string>> = {
  'reads an attribute by a pattern':
    'import math\nmatch math:\n    case object(__dict__=found): found["sqrt"] = lambda x: 0.0\n',
  'reads an attribute by a format':
    'import math, string\nstring.Formatter().get_field("0.__dict__", [math], {})[0]["sqrt"] = lambda x: 0.0\n',
  'has an attribute set by copy':
    'import copy, math\n' +
    'A = type("A", (), {"__reduce_ex__": lambda s, p: (lambda: math, (), {"sqrt": lambda x: 0.0})})\ncopy.copy(A())\n',
  'has one set by copy, with a class made by its metaclass':
    'import copy, math, typing\nA = typing.ABCMeta("A", (), {"__reduce_ex__": lambda s, p: ' +
    '(lambda: math, (), {"sqrt": lambda x: 0.0})})\ncopy.copy(A())\n',
  'makes a sequence of everything by the metaclass of another class':
    'import collections.abc\nM = type(collections.abc.Sequence)\n' +
    'M("S", (collections.abc.Sequence,), {"__subclasshook__": classmethod(lambda c, s: True)})\n',
  'keeps a pattern under flags that are equal to all others':
    'import re\nF = type("F", (int,), {"__hash__": lambda s: 0, "__eq__": lambda s, o: True})\n' +
    're.match("a", "A", F(2))\n',
  'finds the class of classes by its alias':
    'import re, typing\nF = typing.get_origin(typing.Type[int])("F", (int,), {"__hash__": lambda s: ' +
    '0, "__eq__": lambda s, o: True})\nre.match("a", "A", F(2))\n',
  'registers a number as a sequence': 'import collections.abc\ncollections.abc.Sequence.register(int)\n',
  'takes standard output for good': [
    'import typing',
    'W = type("W", (), {"write": lambda s, text: 1 / 0, "flush": lambda s: None})()',
    'def g():',
    '    with typing.contextlib.redirect_stdout(W): yield',
    'kept = [g()]',
    'kept.append(kept)',
    'next(kept[0])',
    '',
  ].join('\n'),
  'ends a generator in a cycle of garbage': [
    'def g(kept):',
    '    try: yield',
    '    finally:',
    '        while True: pass',
    'def leave():',
    '    kept = []',
    '    kept.append(g(kept))',
    '    next(kept[0])',
    'leave()',
    '',
  ].join('\n'),
};
const neighbour =
  'import math, re\nfrom collections.abc import Sequence\ndef f(n):\n    print(n)\n    kept = ' +
  '[[] for _ in range(5000)]\n    return [math.sqrt(n), isinstance(n, Sequence), re.match("a", "A") is not None]\n';

/** What a program changes, and another that would see it. */
const changes: Readonly<Record<string, readonly [meddler: string, witness: string]>> = {
  'a type that typing keeps for all that are equal to it': [
    'typing.List[typing.Union[str, int]]',
    'str(typing.List[typing.Union[int, str]])',
  ],
  'a type of a number that is equal to another': ['typing.Tuple[True, int]', 'str(typing.Tuple[1, int])'],
  'an attribute of a module': ['typing.final(string)', 'dir(string)'],
  'an attribute of a class': ['typing.no_type_check(string.Template)', 'dir(string.Template)'],
  'a protocol': ['typing.runtime_checkable(typing.SupportsInt)', 'isinstance(n, typing.SupportsInt)'],
  'another attribute of a module': ['typing.dataclass_transform()(string)', 'dir(string)'],
};

const tiers = [
  { name: 'container', skip: withoutEngine, note: engineNote, open: () => openOn(testEngine(), { processes: 1 }) },
  { name: 'bubblewrap', skip: withoutWalls, note: wallsNote, open: () => createBubblewrapSandbox({ processes: 1 }) },
];

describe.skipIf(withoutEngine && withoutWalls).each(tiers)('neighbours in the $name tier$note', ({ skip, open }) => {
  const within = async (work: (box: Sandbox) => Promise<void>): Promise<void> => {
    const box = await open();
    try {
      await work(box);
    } finally {
      await box.close();
    }
  };

  it.skipIf(skip)('of one that meddles answer as if they were alone, and in one process', { timeout: 300_000 }, () =>
    within(async (box) => {
      for (const [what, meddler] of Object.entries(meddlers)) {
        const inputs = ['[16]', '[25]'];
        const sources = [
          `${meddler}def f(n): return 7\n`,
          ...Array.from({ length: 8 }, (_, index) => `${neighbour}# ${index}\n`),
        ];
        const [, ...runs] = await Promise.all(
          sources.map((source) => box.run({ source, entryPoint: 'f', inputs }, limits)),
        );
        const right = [{ value: '[{"f":"4.0"},false,false]' }, { value: '[{"f":"5.0"},false,false]' }];
        expect([what, runs.map(({ lane, results }) => [lane, results])]).toEqual([
          what,
          runs.map(() => ['batch', right]),
        ]);
      }
    }),
  );

  it.skipIf(skip)('do not see what one has changed through typing', { timeout: 300_000 }, () =>
    within(async (box) => {
      const inputs = ['[16]', '[25]'];
      for (const [what, [meddler, witness]] of Object.entries(changes)) {
        const source = `import string, typing\ndef f(n): return ${witness}\n`;
        const alone = await box.run({ source, entryPoint: 'f', inputs }, limits);
        const sources = [
          `import string, typing\n${meddler}\ndef f(n): return 7\n`,
          ...[1, 2, 3, 4].map((n) => `${source}# ${n}\n`),
        ];
        const [, ...runs] = await Promise.all(
          sources.map((one) => box.run({ source: one, entryPoint: 'f', inputs }, limits)),
        );
        expect([what, runs.map(({ lane, results }) => [lane, results])]).toEqual([
          what,
          runs.map(() => ['batch', alone.results]),
        ]);
      }
    }),
  );

  it.skipIf(skip)('of one that was judged find nothing that its judge was told', { timeout: 300_000 }, () =>
    within(async (box) => {
      const suite: Suite = {
        name: 'base',
        inputs: [[1], [2]],
        expected: [777_001, 777_002],
        oracle: { rule: 'equal' },
      };
      const toJudge = { box, task: { entryPoint: 'f', reference: '' }, suite, limits };
      const judge = async (source: string) => await runAndJudge({ ...toJudge, source }, ['777001', '777002']);
      const judged = await judge('import fractions\ndef f(n): return fractions.Fraction(777000 + n)');
      expect([judged.lane, judged.verdict.outcome]).toEqual(['judge', 'pass']);
      const thief = [
        'import sys, marshal',
        'def f(n):',
        '    frame = sys._getframe()',
        '    while frame:',
        '        for suite in getattr(frame.f_locals.get("self"), "suites", {}).values():',
        '            for case in suite.cases:',
        '                if b"value" in case: return 777000 + n if str(777000 + n) in ' +
          'str(marshal.loads(case)) else None',
        '        frame = frame.f_back',
      ].join('\n');
      expect((await judge(thief)).verdict.outcome).toBe('wrong_output');
    }),
  );

  it.skipIf(skip)('find nothing of ours by its name', { timeout: 300_000 }, () =>
    within(async (box) => {
      const ours = readdirSync(imageFolder).flatMap((name) => (name.endsWith('.py') ? [name.slice(0, -3)] : []));
      const lines = [
        'import importlib, sys',
        'def f(names):',
        '    found = list(sys.argv)',
        '    for name in names:',
        '        try: found.append(importlib.import_module(name).__name__)',
        '        except ImportError: pass',
        '    return found',
      ];
      const { results } = await box.run(
        { source: lines.join('\n'), entryPoint: 'f', inputs: [JSON.stringify([ours])] },
        limits,
      );
      expect(results).toEqual([{ value: '[""]' }]);
    }),
  );

  it.skipIf(skip)('of one that writes settings of the kernel find them as they were', { timeout: 300_000 }, () =>
    within(async (box) => {
      const lines = [
        'import os',
        'def f(text):',
        '    found = []',
        '    for folder, _, names in os.walk("/proc/sys/kernel"):',
        '        for name in sorted(names):',
        '            try:',
        '                with open(f"{folder}/{name}", "w") as file: file.write(text)',
        '                found.append(name)',
        '            except OSError: pass',
        '    return found',
      ];
      const { results } = await box.run({ source: lines.join('\n'), entryPoint: 'f', inputs: ['["1234"]'] }, limits);
      expect(results).toEqual([{ value: '[]' }]);
    }),
  );

  it.skipIf(skip)(
    'find nothing in memory of the programs before them, nor of their answers, nor of the tests of other suites',
    { timeout: 300_000 },
    () =>
      within(async (box) => {
        // The mark is written otherwise in the text that looks for it.
        const mark = 'LEFT-BEHIND-';
        const seeking = [
          'import ctypes',
          'def f(n):',
          '    mark = bytes(code ^ 1 for code in ' +
            `bytes(${JSON.stringify([...Buffer.from(mark)].map((code) => code ^ 1))}))`,
          '    found = set()',
          '    for line in open("/proc/self/maps"):',
          '        where, rights, *_, name = line.split()',
          '        low, high = (int(part, 16) for part in where.split("-"))',
          '        if rights[0] != "r" or name.startswith("[v") or high - low > 1 << 28: continue',
          '        data = ctypes.string_at(low, high - low)',
          '        for part in data.split(mark)[1:]:',
          '            if part[:1].isdigit(): found.add(part[:6])',
          '    return sorted(found)',
        ].join('\n');
        const roomy = { caseTimeoutMs: 10_000, memoryBytes: 512 * 1024 * 1024, outputBytes: 1_000_000 };
        const sizes = [1, 30, 200, 400, 700, 3000, 40_000];
        for (const size of sizes) {
          const inputs = ['[1]', '[2]', '[3]'];
          const source =
            `# ${mark}7${'x'.repeat(size)}\n` +
            `def f(n): return "${mark.slice(0, 4)}" + "${mark.slice(4)}8" + "y" * (n * ${size})\n`;
          const before = await box.run({ source, entryPoint: 'f', inputs }, roomy);
          expect(before.end).toBe('completed');
          const tests = [
            `assert candidate(1) != "${mark}9${'z'.repeat(size)}"`,
            `assert candidate(2) != "${mark}6"`,
          ].map((test) => JSON.stringify(test));
          const tested = {
            source: 'def f(n): return n',
            entryPoint: 'f',
            inputs: tests,
            tests: { prelude: '', alias: 'candidate' },
          };
          expect((await box.run(tested, roomy)).results).toEqual([{ value: 'true' }, { value: 'true' }]);
          const { results } = await box.run({ source: seeking, entryPoint: 'f', inputs: ['[1]'] }, roomy);
          expect([size, results]).toEqual([size, [{ value: '[]' }]]);
        }
      }),
  );
});
