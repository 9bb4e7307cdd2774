/** Links between documents, and to files of the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { documents, repository } from '../support/doc-commands.ts';

const withoutFences = (text: string): string => text.replaceAll(/^[ \t>]*```[\s\S]*?^[ \t>]*```/gm, '');

/** Anchors that GitHub makes from headings. */
const anchorsOf = (text: string): string[] =>
  [...withoutFences(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const isBroken = (document: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(repository, document) : join(repository, dirname(document), path);
  if (!existsSync(target)) return true;
  return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
};

test.each(documents)('%s: every link leads to a file and a heading that exist', (document) => {
  const text = withoutFences(readFileSync(join(repository, document), 'utf8'));
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link));
  expect(links.filter((link) => isBroken(document, link))).toEqual([]);
});

test('a missing file and a missing heading are broken links', () => {
  expect(isBroken('README.md', 'docs/nowhere.md')).toBe(true);
  expect(isBroken('README.md', 'docs/sandbox.md#nowhere')).toBe(true);
  expect(isBroken('README.md', 'docs/sandbox.md')).toBe(false);
});
