/** The recipes of docs/results/recipes.md, which tests run as they stand there. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './doc-commands.ts';

const page = readFileSync(join(repository, 'docs/results/recipes.md'), 'utf8');

/** The first block with this tag under the heading; with an empty heading, the first of the page. Throws without it. */
export function recipe(heading: string, tag: string): string {
  const start = heading === '' ? 0 : page.indexOf(`\n## ${heading}\n`);
  const section = page.slice(start).split(/\n## /)[heading === '' ? 0 : 1] ?? '';
  const [, text] = new RegExp(`^\`\`\`${tag}\n([\\s\\S]*?)^\`\`\``, 'm').exec(section) ?? [];
  if (start < 0 || text === undefined) throw new Error(`no block ${tag} under "${heading}"`);
  return text;
}

/** What the page says that every recipe counts, as SQL. */
export const countedSql = recipe('', 'sql');
