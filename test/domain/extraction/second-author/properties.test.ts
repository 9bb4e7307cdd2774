import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractCode } from '../../../../domain/extraction/extract-code.ts';
import { extractionCases } from './read-cases.ts';

const cases = extractionCases();
/** Lines of all cases, and others that open, close or hide something. */
const pieces = [
  ...new Set(cases.flatMap(({ reply }) => reply.split('\n'))),
  ...[
    '```',
    '~~~',
    '"""',
    "'''",
    '\\',
    '(',
    ')',
    '{"',
    '> ',
    '> > ```',
    '>'.repeat(40),
    '<think>',
    '</think>',
    '[PYTHON]',
    '\r',
    '\t',
    '\uFEFF',
    '\0',
    '\uD800',
    '&lt;',
    '    ',
  ],
];
const prompt = 'from math import pi\n\ndef add(a, b):\n    """Adds."""\n';

describe('extractCode', () => {
  it('never throws, and gives null or a module that ends in one newline', () => {
    const lines = fc.array(fc.tuple(fc.constantFrom(...pieces), fc.constantFrom('\n', '', ' ', '\r\n')), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        lines,
        fc.constantFrom(undefined, prompt),
        fc.constantFrom('add', '', 'a.b', '(', 'a'.repeat(200)),
        (text, given, entryPoint) => {
          const { code, removed } = extractCode(text.flat().join(''), { entryPoint, prompt: given });
          expect(code === null || /[^\n]\n$/.test(code)).toBe(true);
          expect(removed).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it('gives the same code again if its result is put in a fence', () => {
    for (const { reply, entryPoint, prompt: given, expect: expected } of cases) {
      const { code } = extractCode(reply, { entryPoint, prompt: given });
      if (code === null || expected !== 'passes' || /```/.test(code)) continue;
      expect(extractCode(`\`\`\`python\n${code}\`\`\``, { entryPoint }).code).toBe(code);
    }
  });

  const megabyte = 2 ** 20;
  const unit = (text: string): string => text.repeat(Math.ceil(megabyte / text.length));
  const nasty: readonly (readonly [string, string])[] = [
    ...[
      '```python\n',
      '```',
      '`',
      '~~~\n',
      '"""\n',
      "'",
      '(',
      '[',
      '\\',
      '\n',
      ' ',
      ' \n',
      '\t',
      '\r',
      '#',
      '# x\n',
      '&lt;',
      '> ```\n',
      '> > ',
      `${'>'.repeat(8)} ~~~\n>\n`,
      '<think>',
      '</think>',
      '[PYTHON]',
      '<code>',
      '{"',
      '{"a":',
    ],
    ...[
      'def add(a, b):\n',
      'def add(\n',
      'add = 1\n',
      'import a\n',
      'from a import (',
      '>>> ',
      '@',
      'a,',
      'x: ',
      'if add(\n',
      'print(add(1))\n',
      'f',
      '0',
      'é',
      '\uD800',
    ],
    ...[
      '```python\ndef add(a, b):\n    return a + b\n```\n',
      'def f0():\n    return add\n\n',
      '    ```py\nx\n````\n',
      '"""\n```\n',
    ],
  ].map((text) => [JSON.stringify(text), unit(text)]);

  it.each(nasty)(
    'is linear: a megabyte of %s takes at most a second, or eight times a quarter of it',
    (_name, text) => {
      const seconds = (part: string): number => {
        const started = performance.now();
        extractCode(part, { entryPoint: 'add', prompt });
        return (performance.now() - started) / 1000;
      };
      const ratio = (): number => {
        const quarter = seconds(text.slice(0, megabyte / 4));
        return seconds(text) / Math.max(1, 8 * quarter);
      };
      // A busy machine may pause in either measurement; code that is not linear is too slow every time.
      expect([ratio, ratio, ratio].some((measure) => measure() < 1)).toBe(true);
    },
  );
});
