/** Documents can be read in a terminal and compared line by line. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, repository } from '../support/doc-commands.ts';

const width = 120;

/** Commands to copy, links and pictures cannot be wrapped. */
const isExempt = (line: string, fence: string | null): boolean =>
  ['sh', 'bash', 'text', 'json'].includes(fence ?? '') ||
  /^ *(?:- )?!?\[[^\]]*\]\([^)]*\)\S*$/.test(line) ||
  /^\s*- run: /.test(line);

function longLines(text: string): string[] {
  let fence: string | null = null;
  return text.split('\n').filter((line) => {
    const [, tag] = /^\s*```(\w*)/.exec(line) ?? [];
    if (tag !== undefined) fence = fence === null ? tag : null;
    return [...line].length > width && !isExempt(line, fence);
  });
}

test.each(documents)('%s has no line of more than 120 columns', (document) => {
  expect(longLines(readFileSync(join(repository, document), 'utf8'))).toEqual([]);
});

test('a long sentence and a long row of a table are found; a long command is not', () => {
  const long = 'word '.repeat(30).trim();
  const text = ['short', long, `| ${long} |`, '```sh', long, '```', `![${long}](a.png)`].join('\n');
  expect(longLines(text)).toEqual([long, `| ${long} |`]);
});
