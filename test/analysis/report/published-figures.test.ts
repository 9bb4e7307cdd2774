import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import leaderboard from '../../../data/published/evaloop-leaderboard.json' with { type: 'json' };
import sampling from '../../../data/published/evaloop-sampling.json' with { type: 'json' };

const root = join(import.meta.dirname, '../../..');
const files = ['analysis/report/**/*.ts', 'studies/*/report/**/*.ts', 'cli/**/*.ts'].flatMap((pattern) =>
  globSync(pattern, { cwd: root }),
);

/**
 * Text between quotes and of templates, without comments, code between `${` and `}`, and tags; `open` is false where
 * the reading came to a sound end.
 */
function quotedText(source: string): { readonly text: string; readonly open: boolean } {
  const [stack, texts]: [string[], string[]] = [[], []];
  let at = 0;
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null) return false;
    at += found[0].length;
    return true;
  };
  while (at < source.length) {
    const [inside, char] = [stack.at(-1) ?? '{', source[at] as string];
    if (inside === '{') {
      if (skip(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|(?<=[(,=:] ?)\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y)) continue;
      if (char === '}') stack.pop();
      else if ('{\'"`'.includes(char)) {
        stack.push(char);
        if (char !== '{') texts.push('\n');
      }
    } else if (char === '\\') at += 1;
    else if (char === inside) stack.pop();
    else if (inside === '`' && source.startsWith('${', at)) {
      stack.push('{');
      texts.push('…');
      at += 1;
    } else texts.push(char);
    at += 1;
  }
  return { text: texts.join('').replaceAll(/<[^>]*>/g, ' '), open: stack.length > 0 };
}

/**
 * Numbers that are not figures of a paper: its distances and section numbers, the levels of intervals and tests, this
 * machine's address.
 */
const exceptions = [
  /E\(0\.[123]\)/g,
  /^0\.[123]$/gm,
  /at 0\.1, 0\.2, 0\.3/g,
  /sections? \d\.\d/g,
  /95 %/g,
  /^0\.05$/gm,
  /127\.0\.0\.1/g,
];
/** Example specs: their numbers are settings. */
const settings = new Set<string>();
const figure = /(?<![\w.])(?:\d+\.\d+|\d{1,3}(?:,\d{3})+|\d+ %)/g;
const speaks = /\b(?:papers?|published|prints)\b/i;

const figuresIn = (source: string): string[] => {
  const { text } = quotedText(source);
  if (!speaks.test(text)) return [];
  return exceptions.reduce((left, exception) => left.replaceAll(exception, ''), text).match(figure) ?? [];
};

test('figures of a paper come from data/published: no text of report or command line has one', () => {
  const sources = files
    .filter((path) => !settings.has(path))
    .map((path) => ({ path, source: readFileSync(join(root, path), 'utf8') }));
  expect(sources.filter(({ source }) => speaks.test(quotedText(source).text)).length).toBeGreaterThan(5);
  expect(sources.filter(({ source }) => quotedText(source).open).map(({ path }) => path)).toEqual([]);
  expect(sources.flatMap(({ path, source }) => figuresIn(source).map((found) => `${path}: ${found}`))).toEqual([]);
});

describe('a figure is found', () => {
  test.each([
    ['const a = `the paper: 6.38 greedy`;', ['6.38']],
    ["// the paper's\nconst a = `${b(`The paper’s ${n} models: 91.7 % change`)} and 4,095`;", ['91.7', '4,095']],
    ["const note = 'as published'; const b = 'p is 0.122';", ['0.122']],
    ['const a = "the paper: 13 %";', ['13 %']],
  ])('in %s', (source, found) => expect(figuresIn(source)).toEqual(found));

  test.each([
    '/** The paper: 6.38. */',
    'const a = `the paper: ${0.5 * b}`;',
    "const a = 'the paper, section 3.5: E(0.1), 95 %';",
    'const a = `pass@1 of 0.5`;',
  ])('but none in %s', (source) => expect(figuresIn(source)).toEqual([]));
});

test('section 3.5 and table 2 of EVALOOP have what is printed', () => {
  expect(sampling).toMatchObject({ models: 13, greedy: 6.38, sampled: 6.37 });
  expect(leaderboard.rows).toHaveLength(96);
});
