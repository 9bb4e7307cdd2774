/** A result is made once: only the renderers know how a table looks. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const folders = ['activities', 'analysis', 'cli', 'domain', 'schemas', 'studies', 'workers', 'workflows'];
/** What `watch` says of a run under way is no result, and exists only as HTML. */
const renderers = /^analysis\/report\/(?:html|text|live)\//;
const files = folders
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .filter((path) => !renderers.test(path));
const withoutComments = (source: string): string => source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g, '');

test.each(files)('%s draws no table', (path) => {
  const source = withoutComments(readFileSync(join(root, path), 'utf8'));
  expect(source.match(/<t(?:able|r|d|h|head|body)[\s>$]|[─│┼┌┐└┘├┤┬┴═║]/g)).toBeNull();
});
