import { describe, expect, it, test } from 'vitest';
import { extractCode, extractions, type Extraction } from '../../../domain/extraction/extract-code.ts';

/** Shapes of real replies; `code: null` if there is nothing to run. The entry point is always `add`. */
interface Row {
  readonly shape: string;
  readonly reply: string;
  readonly prompt?: string;
  readonly code: string | null;
  readonly how: Extraction;
}

const add = 'def add(a, b):\n    return a + b\n';
const signature =
  'from typing import List\n\ndef add(a: int, b: int) -> int:\n    """Sum of both.\n' +
  '    >>> add(1, 2)\n    3\n    """\n';
const fence = '```';
const fenced = (code: string, tag = 'python'): string => `${fence}${tag}\n${code}${fence}`;

const rows: readonly Row[] = [
  // Fences
  { shape: 'a fence with the tag python', reply: fenced(add), code: add, how: 'fenced' },
  { shape: 'a fence without a tag', reply: fenced(add, ''), code: add, how: 'fenced' },
  { shape: 'a fence with the tag Python3', reply: fenced(add, 'Python3'), code: add, how: 'fenced' },
  {
    shape: 'a fence with the tag py and an attribute',
    reply: fenced(add, 'py title="solution.py"'),
    code: add,
    how: 'fenced',
  },
  { shape: 'a fence with a braced tag', reply: fenced(add, '{.python}'), code: add, how: 'fenced' },
  { shape: 'a fence with a wrong tag around Python', reply: fenced(add, 'javascript'), code: add, how: 'fenced' },
  { shape: 'a tag behind a space', reply: fenced(add, ' python'), code: add, how: 'fenced' },
  {
    shape: 'prose around a fence',
    reply: `Here is the function:\n\n${fenced(add)}\n\nIt adds both numbers.`,
    code: add,
    how: 'fenced',
  },
  { shape: 'a tilde fence', reply: `~~~python\n${add}~~~`, code: add, how: 'fenced' },
  { shape: 'a fence of four backticks', reply: `${fence}\`python\n${add}${fence}\``, code: add, how: 'fenced' },
  { shape: 'an unclosed fence', reply: `Sure!\n${fence}python\n${add}`, code: add, how: 'unclosed_fence' },
  {
    shape: 'an unclosed fence cut in the middle of a line',
    reply: `${fence}python\ndef add(a, b):\n    return a +`,
    code: 'def add(a, b):\n    return a +\n',
    how: 'unclosed_fence',
  },
  {
    shape: 'a fence indented within a list',
    reply: `1. Add:\n\n   ${fence}python\n   def add(a, b):\n       return a + b\n   ${fence}\n`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a fence opened in the middle of a line',
    reply: `Here it is: ${fence}python\n${add}${fence}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a fence closed at the end of the last line',
    reply: `${fence}python\ndef add(a, b):\n    return a + b${fence}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a fence on one line',
    reply: `${fence}python def add(a, b): return a + b${fence}`,
    code: 'def add(a, b): return a + b\n',
    how: 'fenced',
  },
  {
    shape: 'a second opening fence in place of the closing one',
    reply: `${fence}python\n${add}${fence}python\nprint(add(1, 2))\n${fence}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a markdown block around the reply',
    reply: `${fence}markdown\n# Solution\n${fenced(add)}\n${fence}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a fence inside the docstring',
    reply: fenced(
      `def add(a, b):\n    """Adds.\n\n    ${fence}\n    add(1, 2)\n    ${fence}\n    """\n    return a + b\n`,
    ),
    code: `def add(a, b):\n    """Adds.\n\n    ${fence}\n    add(1, 2)\n    ${fence}\n    """\n    return a + b\n`,
    how: 'fenced',
  },
  { shape: 'blank lines inside the fence', reply: `${fence}python\n\n\n${add}\n\n${fence}`, code: add, how: 'fenced' },
  { shape: 'a lambda', reply: fenced('add = lambda a, b: a + b\n'), code: 'add = lambda a, b: a + b\n', how: 'fenced' },
  {
    shape: 'an async function',
    reply: fenced('async def add(a, b):\n    return a + b\n'),
    code: 'async def add(a, b):\n    return a + b\n',
    how: 'fenced',
  },
  {
    shape: 'a decorated function',
    reply: fenced(`import functools\n\n@functools.cache\n${add}`),
    code: `import functools\n\n@functools.cache\n${add}`,
    how: 'fenced',
  },
  {
    shape: 'a class that holds the function',
    reply: fenced('class Solution:\n    def add(self, a, b):\n        return a + b\n'),
    code: 'class Solution:\n    def add(self, a, b):\n        return a + b\n',
    how: 'fenced',
  },
  {
    shape: 'a function of another name',
    reply: fenced('def total(a, b):\n    return a + b\n'),
    code: 'def total(a, b):\n    return a + b\n',
    how: 'fenced',
  },

  // Several blocks
  {
    shape: 'an example in a second block',
    reply: `${fenced(add)}\nUsage:\n${fenced('print(add(1, 2))  # 3\n')}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'an install command before the code',
    reply: `${fenced('pip install numpy\n', 'bash')}\n${fenced(add)}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'an output block after the code',
    reply: `${fenced(add)}\nOutput:\n${fenced('3\n', '')}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a correction after a draft',
    reply: `${fenced('def add(a, b):\n    return a - b\n')}\nWait, that is wrong:\n${fenced(add)}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a cut-off second version',
    reply: `${fenced(add)}\nOr:\n${fence}python\ndef add(a, b):\n    total = a\n    tot`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a signature shown again in the explanation',
    reply: `${fenced(add)}\nThe signature is\n${fenced('def add(a, b):\n    ...\n')}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a helper in a block of its own',
    reply: [
      'First a helper:',
      fenced('def plus(a, b):\n    return a + b\n'),
      'Then:',
      fenced('def add(a, b):\n    return plus(a, b)\n'),
    ].join('\n'),
    code: 'def plus(a, b):\n    return a + b\ndef add(a, b):\n    return plus(a, b)\n',
    how: 'joined',
  },
  {
    shape: 'imports in a block of their own',
    reply: `${fenced('import operator\n')}\n${fenced('def add(a, b):\n    return operator.add(a, b)\n')}`,
    code: 'import operator\ndef add(a, b):\n    return operator.add(a, b)\n',
    how: 'joined',
  },
  {
    shape: 'a helper that comes after its user and needs another one',
    reply: [
      fenced('def add(a, b):\n    return outer(a, b)\n'),
      fenced('def inner(a, b):\n    return a + b\n\ndef outer(a, b):\n    return inner(a, b)\n'),
    ].join('\n'),
    code:
      'def inner(a, b):\n    return a + b\n\ndef outer(a, b):\n    return inner(a, b)\n' +
      'def add(a, b):\n    return outer(a, b)\n',
    how: 'joined',
  },
  {
    shape: 'an example variable that the code also uses as a local name',
    reply: `${fenced('def add(a, b):\n    result = a + b\n    return result\n')}\n${fenced('result = add(1, 2)\n')}`,
    code: 'def add(a, b):\n    result = a + b\n    return result\n',
    how: 'fenced',
  },

  // No fence
  { shape: 'code alone', reply: add, code: add, how: 'bare' },
  {
    shape: 'code alone with imports',
    reply: `from typing import List, Dict\nimport math, re as r\n\n${add}`,
    code: `from typing import List, Dict\nimport math, re as r\n\n${add}`,
    how: 'bare',
  },
  { shape: 'prose before code', reply: `Sure, here's the code:\n\n${add}`, code: add, how: 'in_prose' },
  {
    shape: 'prose after code',
    reply: `${add}\nThis function isn't long (it adds two numbers`,
    code: add,
    how: 'in_prose',
  },
  {
    shape: 'prose before, between and after',
    reply:
      'We need a helper.\ndef plus(a, b):\n    return a + b\nNow use it for the result:\n' +
      'def add(a, b):\n    return plus(a, b)\nDone!',
    code: 'def plus(a, b):\n    return a + b\ndef add(a, b):\n    return plus(a, b)\n',
    how: 'in_prose',
  },
  {
    shape: 'code indented as a markdown block',
    reply: 'The code:\n\n    def add(a, b):\n        return a + b\n\nDone.',
    code: add,
    how: 'in_prose',
  },
  {
    shape: 'a function in inline backticks',
    reply: 'Use\n`def add(a, b): return a + b`',
    code: 'def add(a, b): return a + b\n',
    how: 'in_prose',
  },
  { shape: 'escaped line ends', reply: 'def add(a, b):\\n    return a + b\\n', code: add, how: 'bare' },
  {
    shape: 'code before a block with its output',
    reply: `${add}\n${fenced('3\n', 'output')}`,
    code: add,
    how: 'in_prose',
  },
  {
    shape: 'a docstring with column-0 text',
    reply: `def add(a, b):\n    """\nAdds\n    """\n    return a + b\n`,
    code: 'def add(a, b):\n    """\nAdds\n    """\n    return a + b\n',
    how: 'bare',
  },
  {
    shape: 'the task repeated as a docstring before the code',
    reply: `"""\nAdd numbers.\nassert add(1, 2) == 3\n"""\n${add}`,
    code: `"""\nAdd numbers.\nassert add(1, 2) == 3\n"""\n${add}`,
    how: 'bare',
  },
  {
    shape: 'a call that goes over several lines',
    reply: 'def add(\n    a,\n    b,\n):\n    return sum([\n        a,\n        b,\n    ])\n',
    code: 'def add(\n    a,\n    b,\n):\n    return sum([\n        a,\n        b,\n    ])\n',
    how: 'bare',
  },

  // Nothing to run
  { shape: 'nothing', reply: '', code: null, how: 'empty' },
  { shape: 'white space', reply: ' \n\t\n', code: null, how: 'empty' },
  { shape: 'a refusal', reply: "I'm sorry, but I can't help with that.", code: null, how: 'prose_only' },
  {
    shape: 'an explanation that mentions def',
    reply: 'You would define a function (def) for this and return the sum.',
    code: null,
    how: 'prose_only',
  },
  {
    shape: 'code of another language',
    reply: fenced('function add(a, b) { return a + b; }\n', 'javascript'),
    code: null,
    how: 'other_language',
  },
  { shape: 'only asserts', reply: fenced('assert add(1, 2) == 3\n'), code: null, how: 'tests_only' },
  {
    shape: 'thoughts that were cut off',
    reply: `<think>Maybe\n${fenced('def add(a, b):\n    pass\n')}\nno, wait`,
    code: null,
    how: 'prose_only',
  },

  // Thoughts
  {
    shape: 'thoughts before the code',
    reply: `<think>\nI could write ${fenced('def add(a): pass\n')}\n</think>\n\n${fenced(add)}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'thoughts without the opening tag',
    reply: `I think def add(x) is bad.\n</think>\n${fenced(add)}`,
    code: add,
    how: 'fenced',
  },
  { shape: 'empty thoughts', reply: `<think>\n\n</think>\n\n${add}`, code: add, how: 'bare' },
  { shape: 'thoughts in square brackets', reply: `[THINK]hm[/THINK]${fenced(add)}`, code: add, how: 'fenced' },
  {
    shape: 'an analysis channel before the final one',
    reply: `<|channel|>analysis<|message|>def add(x)<|end|><|start|>assistant<|channel|>final<|message|>${fenced(add)}`,
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a text that mentions the tag in code',
    reply: fenced('def add(a, b):\n    return "<think>" + a + "</think>" + b\n'),
    code: 'def add(a, b):\n    return "<think>" + a + "</think>" + b\n',
    how: 'fenced',
  },

  // Wrapping and characters
  { shape: 'CRLF line ends', reply: fenced(add).replaceAll('\n', '\r\n'), code: add, how: 'fenced' },
  { shape: 'a byte order mark', reply: `\uFEFF${add}`, code: add, how: 'bare' },
  {
    shape: 'tabs as indentation',
    reply: fenced('def add(a, b):\n\treturn a + b\n'),
    code: 'def add(a, b):\n\treturn a + b\n',
    how: 'fenced',
  },
  { shape: 'a JSON object', reply: JSON.stringify({ explanation: 'adds', code: add }), code: add, how: 'json' },
  {
    shape: 'a JSON object with a fenced answer',
    reply: JSON.stringify({ response: fenced(add) }),
    code: add,
    how: 'json',
  },
  { shape: 'a JSON block', reply: fenced(`${JSON.stringify({ solution: add })}\n`, 'json'), code: add, how: 'json' },
  { shape: 'a JSON string', reply: JSON.stringify(add), code: add, how: 'json' },
  {
    shape: 'HTML entities',
    reply: fenced('def add(a, b):\n    return a if b &lt; 0 else a + b\n'),
    code: 'def add(a, b):\n    return a if b < 0 else a + b\n',
    how: 'fenced',
  },
  {
    shape: 'code about HTML entities',
    reply: fenced("def add(a, b):\n    return a.replace('<', '&lt;') + b\n"),
    code: "def add(a, b):\n    return a.replace('<', '&lt;') + b\n",
    how: 'fenced',
  },
  { shape: 'PYTHON tags', reply: `[PYTHON]\n${add}[/PYTHON]`, code: add, how: 'fenced' },
  {
    shape: 'HTML code tags',
    reply: `<pre><code class="language-python">${add}</code></pre>`,
    code: add,
    how: 'fenced',
  },
  { shape: 'an end-of-text token', reply: `${add}<|im_end|>`, code: add, how: 'bare' },
  {
    shape: 'an interactive session',
    reply: fenced('>>> def add(a, b):\n...     return a + b\n...\n>>> add(1, 2)\n3\n'),
    code: add,
    how: 'fenced',
  },

  // The reply's own tests and examples
  {
    shape: 'a __main__ block',
    reply: fenced(`${add}\nif __name__ == "__main__":\n    print(add(1, 2))\n    input()\n`),
    code: add,
    how: 'fenced',
  },
  {
    shape: 'a __main__ block with an else',
    reply: fenced(`${add}\nif __name__ == '__main__':\n    print(1)\nelse:\n    print(2)\n`),
    code: add,
    how: 'fenced',
  },
  {
    shape: 'asserts after the function',
    reply: fenced(`${add}\n# Tests\nassert add(1, 2) == 4\nassert add(\n    1, 1\n) == 2\nprint("ok")\n`),
    code: add,
    how: 'fenced',
  },
  { shape: 'a bare call of the entry point', reply: fenced(`${add}\nadd(1, 2)\n`), code: add, how: 'fenced' },
  {
    shape: 'a main function that is called',
    reply: fenced(`${add}\ndef main():\n    print(add(1, 2))\n\nmain()\n`),
    code: `${add}\ndef main():\n    print(add(1, 2))\n`,
    how: 'fenced',
  },
  {
    shape: 'a setup call that the function needs',
    reply: fenced(`import sys\nsys.setrecursionlimit(10000)\n\n${add}`),
    code: `import sys\nsys.setrecursionlimit(10000)\n\n${add}`,
    how: 'fenced',
  },
  {
    shape: 'asserts inside the function',
    reply: fenced('def add(a, b):\n    assert a >= 0\n    return a + b\n'),
    code: 'def add(a, b):\n    assert a >= 0\n    return a + b\n',
    how: 'fenced',
  },
  { shape: 'an assert without a fence', reply: `${add}\nassert add(1, 2) == 3\n`, code: add, how: 'in_prose' },

  // Answers to a signature
  {
    shape: 'an indented body',
    prompt: signature,
    reply: '    total = a + b\n    return total\n',
    code: `${signature}    total = a + b\n    return total\n`,
    how: 'body',
  },
  {
    shape: 'a body whose first line lost its indentation',
    prompt: signature,
    reply: 'total = a + b\n    return total',
    code: `${signature}    total = a + b\n    return total\n`,
    how: 'body',
  },
  {
    shape: 'a loop whose first line lost its indentation',
    prompt: signature,
    reply: 'for i in range(b):\n        a += 1\n    return a',
    code: `${signature}    for i in range(b):\n        a += 1\n    return a\n`,
    how: 'body',
  },
  {
    shape: 'a body without indentation',
    prompt: signature,
    reply: 'for i in range(b):\n    a += 1\nreturn a',
    code: `${signature}    for i in range(b):\n        a += 1\n    return a\n`,
    how: 'body',
  },
  {
    shape: 'a fenced body',
    prompt: signature,
    reply: `The body:\n${fenced('    return a + b\n')}`,
    code: `${signature}    return a + b\n`,
    how: 'body',
  },
  {
    shape: 'a body with tabs',
    prompt: signature,
    reply: '\tif a:\n\t\treturn a + b\n\treturn b\n',
    code: `${signature}    if a:\n        return a + b\n    return b\n`,
    how: 'body',
  },
  {
    shape: 'a body followed by prose',
    prompt: signature,
    reply: '    return a + b\n\nThis returns the sum.',
    code: `${signature}    return a + b\n`,
    how: 'body',
  },
  {
    shape: 'the signature repeated',
    prompt: signature,
    reply: fenced('def add(a: int, b: int) -> int:\n    return a + b\n'),
    code: 'def add(a: int, b: int) -> int:\n    return a + b\n',
    how: 'fenced',
  },
  {
    shape: 'the signature repeated, needing an import of the prompt',
    prompt: signature,
    reply: fenced('def add(a: List, b):\n    return a + b\n'),
    code: 'from typing import List\ndef add(a: List, b):\n    return a + b\n',
    how: 'joined',
  },
  {
    shape: 'the signature given twice in a row',
    reply: fenced('def add(a, b):\ndef add(a, b):\n    return a + b\n'),
    code: add,
    how: 'fenced',
  },
  {
    shape: 'prose for a signature',
    prompt: signature,
    reply: 'This adds the two numbers.',
    code: null,
    how: 'prose_only',
  },
];

describe('extractCode', () => {
  it.each(rows)('$shape: $how', ({ reply, prompt, code, how }) => {
    const extracted = extractCode(reply, { entryPoint: 'add', prompt });
    expect({ code: extracted.code, how: extracted.how }).toEqual({ code, how });
  });

  it('covers every way to find code and every reason to find none', () => {
    const ofOtherRules = ['recorded', 'not_one_block'];
    expect(new Set([...rows.map(({ how }) => how), ...ofOtherRules])).toEqual(new Set(extractions));
  });

  it('counts removed statements', () => {
    expect(
      extractCode(fenced(`${add}\nassert add(1, 2) == 3\nprint(add(1, 2))\n`), { entryPoint: 'add' }).removed,
    ).toBe(2);
  });

  it('finds its own result unchanged', () => {
    for (const { code } of rows) {
      if (code !== null) expect(extractCode(fenced(code), { entryPoint: 'add' }).code).toBe(code);
    }
  });
});

describe('extractCode on a megabyte', () => {
  const size = 1_000_000;
  const repeated = (text: string): string => text.repeat(Math.ceil(size / text.length));
  const hostile: Readonly<Record<string, string>> = {
    backticks: repeated('`'),
    'opening fences': repeated('```python\n'),
    'fences and docstrings': repeated('```\n"""\n'),
    'alternating docstrings': repeated('```\n"""\n```\n\'\'\'\n'),
    'open brackets': `def add(a, b):\n    return ${repeated('(')}`,
    'one long line of code': `x = ${repeated('"a" + ')}`,
    'white space': `def add(a, b):${repeated(' ')}x`,
    'an assigned name and white space': `name${repeated(' ')}x`,
    'white space lines': repeated('   \n'),
    thoughts: repeated('<think></think>'),
    'unopened thoughts': repeated('</think>\n'),
    'import lists': `import ${repeated('a, ')}`,
    'with and brackets': `with ${repeated('(')}:`,
    'for and in': `for ${repeated(' in ')}`,
    decorators: repeated('@a()\n'),
    entities: `\`\`\`\n${repeated('&lt;')}`,
    definitions: repeated('def add(a, b):\n    return a + b\n'),
    'helpers in blocks': repeated('```python\ndef f(a):\n    return g(a)\n```\n'),
    JSON: `{"a":${repeated('[')}}`,
    indentation: Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}x`).join('\n'),
    colons: `if ${repeated(': ')}`,
    quotes: repeated('"\'\\'),
    'a statement of very many lines': `def add(a, b):\n${repeated('    a\n')}`,
    'blank lines in a function': `def add(a, b):\n${repeated('\n')}    return a`,
    'comments before a function': `${repeated('#\n')}def add(a, b):\n    return a`,
    'nested JSON': `{"code":${'{"code":'.repeat(100_000)}"x"${'}'.repeat(100_001)}`,
  };

  // CPU time, so that other work on the machine does not count.
  it.each(Object.keys(hostile))('of %s takes less than 2 seconds', (name) => {
    const start = process.cpuUsage();
    extractCode(hostile[name] as string, { entryPoint: 'add', prompt: signature });
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(2);
  });
});

test.each([
  [
    'spaces that do not break',
    '```python\ndef add(a, b):\n\u00a0\u00a0\u00a0\u00a0if a:\n\u00a0 \u00a0 \u00a0 \u00a0 return a + b\n' +
      '\u00a0\u00a0\u00a0\u00a0return b\n```',
  ],
  [
    'narrow ones, in a body without its signature',
    '\u202f\u202f\u202f\u202fif a:\n\u202f\u202f\u202f\u202f\u202f\u202f\u202f\u202freturn a + b\n' +
      '\u202f\u202f\u202f\u202freturn b',
  ],
  [
    'spaces of no width before the code',
    '```python\n\u200bdef add(a, b):\n\u2060    if a:\n        return a + b\n    return b\n```',
  ],
])('indentation of %s becomes indentation that Python accepts', (_what, reply) => {
  const { code } = extractCode(reply, { entryPoint: 'add', prompt: 'def add(a, b):\n    """Add."""\n' });
  expect(code).toMatch(/^def add\(a, b\):\n(?: {4}"""Add\."""\n)? {4}if a:\n {8}return a \+ b\n {4}return b\n$/);
});

test('such spaces within a line stay, because a string may contain them', () => {
  const { code } = extractCode('```python\ndef sign():\n    return "a\u00a0b\u200b"\n```', { entryPoint: 'sign' });
  expect(code).toBe('def sign():\n    return "a\u00a0b\u200b"\n');
});
