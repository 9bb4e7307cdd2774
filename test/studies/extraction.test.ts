/** Replies in the shapes that the sources describe, and what each rule takes from them: written by hand. */
import { describe, expect, test } from 'vitest';
import { asIs } from '../../domain/extraction/rules/as-is.ts';
import { ruleOf } from '../../studies/extraction.ts';
import { type AskedTask, type ExtractionRule, ruleId } from '../../domain/extraction/rules/rule.ts';
import { extractionNames } from '../../schemas/spec/fields.ts';
import type { SpecStudy } from '../../schemas/spec.ts';

const add: AskedTask = {
  entryPoint: 'add',
  language: 'python',
  prompt: '"""\nAdd two numbers.\nassert add(1, 2) == 3\n"""\n',
};
const signature: AskedTask = {
  entryPoint: 'add',
  language: 'python',
  prompt: 'from typing import List\n\n\ndef add(a: int, b: int) -> int:\n    """Add two numbers."""\n',
};
const kinds: readonly SpecStudy['kind'][] = [
  'evaloop',
  'evaloop-translation',
  'promptse',
  'robunfr-prompts',
  'robunfr-regression',
  'robunfr-workflows',
  'specificity',
];
const paper = (kind: SpecStudy['kind']): ExtractionRule => ruleOf({ kind, extraction: 'paper' });
const took = (rule: ExtractionRule, reply: string, task = add): string | null => rule.code(reply, task).code;

describe('the rule that a study uses', () => {
  test('a study without a rule comes from a run made before rules had names', () => {
    expect(kinds.map((kind) => ruleId(ruleOf({ kind })))).toEqual(kinds.map(() => 'last-defining-3'));
  });

  test('paper is the framework’s own, the others are equal for all', () => {
    expect(kinds.map((kind) => ruleId(paper(kind)))).toEqual([
      'paper-evaloop-1',
      'paper-chain-1',
      'paper-promptse-1',
      'paper-robunfr-1',
      'paper-robunfr-1',
      'paper-robunfr-1',
      'paper-specificity-1',
    ]);
    expect(kinds.map((kind) => ruleId(ruleOf({ kind, extraction: 'strict' })))).toEqual(kinds.map(() => 'strict-1'));
  });

  test.each(extractionNames)('%s takes a single block in every framework’s own language', (extraction) => {
    for (const kind of kinds) {
      const code = took(ruleOf({ kind, extraction }), 'Here:\n```python\ndef add(a, b):\n    return a + b\n```\nDone.');
      expect(code?.trimEnd()).toBe('def add(a, b):\n    return a + b');
    }
  });

  test.each(extractionNames)('%s finds no program in a blank reply', (extraction) => {
    for (const kind of kinds)
      expect(ruleOf({ kind, extraction }).code(' \n', add)).toEqual({ code: null, how: 'empty', removed: 0 });
  });
});

const wrongThenRight = [
  'First try:',
  '```python',
  'def add(a, b):',
  '    return a - b',
  '```',
  'That subtracts. Corrected:',
  '```python',
  'def add(a, b):',
  '    return a + b',
  '```',
].join('\n');

describe('several blocks', () => {
  test('every paper takes the first block, last-defining the last that defines the function, strict none', () => {
    for (const kind of kinds)
      expect(took(paper(kind), wrongThenRight)?.trimEnd()).toBe('def add(a, b):\n    return a - b');
    expect(took(ruleOf({ kind: 'evaloop', extraction: 'last-defining' }), wrongThenRight)).toBe(
      'def add(a, b):\n    return a + b\n',
    );
    expect(ruleOf({ kind: 'evaloop', extraction: 'strict' }).code(wrongThenRight, add)).toMatchObject({
      code: null,
      how: 'not_one_block',
    });
  });
});

describe('EVALOOP: the authors’ code', () => {
  const rule = paper('evaloop');
  test.each([
    ['a block of any language', '```text\ndef add(a, b):\n    return a + b\n```', 'def add(a, b):\n    return a + b'],
    [
      'marks in the middle of a line',
      'Use ```python def add(a, b): return a + b``` here',
      'def add(a, b): return a + b',
    ],
    [
      'a first block that only shows how to install',
      '```bash\npip install x\n```\n```python\ndef add(a, b): ...\n```',
      'pip install x',
    ],
    [
      'a block that was never closed: the whole reply',
      '```python\ndef add(a, b):\n    return a + b',
      '```python\ndef add(a, b):\n    return a + b',
    ],
    [
      'prose around code without a fence: the whole reply',
      'Sure!\ndef add(a, b):\n    return a + b\n',
      'Sure!\ndef add(a, b):\n    return a + b',
    ],
    [
      'tests and example calls stay',
      '```python\ndef add(a, b):\n    return a + b\nassert add(1, 2) == 3\n```',
      'def add(a, b):\n    return a + b\nassert add(1, 2) == 3',
    ],
    [
      'thoughts are part of the reply',
      '<think>\n```\nx = 1\n```\n</think>\n```python\ndef add(a, b): ...\n```',
      'x = 1',
    ],
    ['four marks open, four close', '````python\ndef add(a, b): ...\n````', '`python\ndef add(a, b): ...'],
    ['a body alone stays one: the prompt has no signature', 'return a + b', 'return a + b'],
  ])('%s', (_shape, reply, code) => {
    expect(took(rule, reply)).toBe(`${code}\n`);
  });

  test('an empty block is not a program', () => {
    expect(rule.code('```python\n```', add)).toMatchObject({ code: null, how: 'empty' });
  });

  test('the summary is the whole reply, stripped: thoughts, also unclosed ones, and fences stay', () => {
    expect(rule.words('\n<think>\n\nwrite a python function to add\n')).toBe(
      '<think>\n\nwrite a python function to add',
    );
    expect(rule.words('```\nwrite it\n```')).toBe('```\nwrite it\n```');
    expect(rule.words(' \n')).toBeNull();
  });

  test('the other rules remove them', () => {
    for (const extraction of ['last-defining', 'strict'] as const) {
      const { words } = ruleOf({ kind: 'evaloop', extraction });
      expect(words('<think>hm</think>\n```\nwrite it\n```')).toBe('write it');
      expect(words('<think>\n\nwrite a python function to add')).toBeNull();
    }
  });
});

describe('the translation chain', () => {
  const rule = paper('evaloop-translation');
  const php: AskedTask = { entryPoint: 'add', language: 'php', prompt: '<?php\nfunction add($a, $b) {' };

  test('the first block, without what keeps the tests from running', () => {
    const reply = '```php\n<?php\nfunction add($a, $b) {\n    return $a + $b;\n}\necho add(1, 2);\n?>\n```';
    expect(took(rule, reply, php)).toBe('function add($a, $b) {\n    return $a + $b;\n}\n');
  });

  test('a first block in another language is still the program', () => {
    const reply =
      'From:\n```python\ndef add(a, b): return a + b\n```\nto:\n```php\nfunction add($a, $b) { return $a + $b; }\n```';
    expect(took(rule, reply, php)).toContain('def add(a, b)');
  });
});

describe.each([['promptse'], ['specificity'], ['robunfr-prompts']] as const)(
  '%s: a prompt that ends in a signature',
  (kind) => {
    const rule = paper(kind);
    const whole =
      'from typing import List\n\n\ndef add(a: int, b: int) -> int:\n    """Add two numbers."""\n    return a + b\n';

    test('a body alone completes it, in a block or bare', () => {
      expect(took(rule, '```python\n    return a + b\n```', signature)).toBe(whole);
      expect(took(rule, '    return a + b\n', signature)).toBe(whole);
    });

    test('a whole function is taken unchanged, with the imports of the prompt that it uses', () => {
      const reply = '```python\ndef add(a: List, b):\n    return a + b\n```';
      expect(took(rule, reply, signature)).toBe('from typing import List\ndef add(a: List, b):\n    return a + b\n');
    });

    test('a question in return is not a program', () => {
      expect(rule.code('Which function would you like me to write?', signature)).toMatchObject({
        code: null,
        how: 'prose_only',
      });
    });
  },
);

describe.each([['promptse'], ['specificity']] as const)('%s', (kind) => {
  test('the whole reply where there is no block; nothing is cut off', () => {
    const reply = 'def add(a, b):\n    return a + b\nassert add(1, 2) == 3\n';
    expect(took(paper(kind), reply, signature)).toBe(reply);
  });
});

describe('PartialOrderEval in C++', () => {
  test('the first block under the prompt’s preamble, without a main program', () => {
    const task: AskedTask = {
      entryPoint: 'add',
      language: 'cpp',
      prompt: '#include <vector>\n\n/* Adds. */\nint add(int a, int b) {',
    };
    const reply = '```c++\nint add(int a, int b) {\n    return a + b;\n}\nint main() {\n    return 0;\n}\n```';
    expect(took(paper('specificity'), reply, task)).toBe(
      '#include <vector>\nint add(int a, int b) {\n    return a + b;\n}\n',
    );
  });
});

describe('RobuNFR: a derivative’s code', () => {
  const rule = paper('robunfr-prompts');
  test.each([
    [
      'blocks of other languages are passed over',
      '```bash\npip install x\n```\n```python\ndef add(a, b):\n    return a + b\n```',
    ],
    [
      'test statements are cut off',
      '```python\ndef add(a, b):\n    return a + b\n\nassert add(1, 2) == 3\nprint(add(1, 2))\n```',
    ],
    ['the only function under another name', '```python\ndef plus(a, b):\n    return a + b\n```'],
  ])('%s', (_shape, reply) => {
    expect(took(rule, reply)).toBe('def add(a, b):\n    return a + b\n');
  });

  test('of several functions with other names the last is used, and its calls of itself are renamed', () => {
    const reply =
      '```python\ndef one():\n    return 1\ndef plus(a, b):\n    return a if b == 0 else plus(a + one(), b - 1)\n```';
    expect(took(rule, reply)).toBe(
      'def one():\n    return 1\ndef add(a, b):\n    return a if b == 0 else add(a + one(), b - 1)\n',
    );
  });

  test('escapes are not decoded', () => {
    const reply = '```python\ndef add(a, b):\n    return a + "\\n" + b\n```';
    expect(took(rule, reply)).toBe('def add(a, b):\n    return a + "\\n" + b\n');
  });
});

describe('strict', () => {
  const rule = ruleOf({ kind: 'promptse', extraction: 'strict' });
  test.each([
    ['no block', 'def add(a, b):\n    return a + b', 'not_one_block'],
    ['a block that was never closed', '```python\ndef add(a, b):\n    return a + b', 'not_one_block'],
    ['a block of another language', '```ruby\ndef add(a, b)\nend\n```', 'other_language'],
    ['an empty block', '```python\n\n```', 'empty'],
    ['thoughts alone', '<think>\n```python\ndef add(a, b): ...\n```', 'prose_only'],
  ])('%s is not a program', (_shape, reply, how) => {
    expect(rule.code(reply, add)).toEqual({ code: null, how, removed: 0 });
  });

  test('nothing is added and nothing cut off; a block within thoughts is not the answer', () => {
    const reply = '<think>\n```\nx\n```\n</think>\n```python\n    return a + b\n```';
    expect(took(rule, reply, signature)).toBe('return a + b\n');
  });
});

test('a recording of extracted code is judged unchanged, whatever it contains', () => {
  expect(took(asIs, '```python\ndef add(a, b): ...\n```')).toBe('```python\ndef add(a, b): ...\n```');
  expect(asIs.words('<think>\n\nwrite a python function')).toBe('<think>\n\nwrite a python function');
  expect(asIs.code('', add)).toMatchObject({ code: null, how: 'empty' });
});
