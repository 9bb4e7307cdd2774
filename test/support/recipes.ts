/** The recipes of docs/extending.md: the files that each writes or changes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from './doc-commands.ts';

export interface Recipe {
  readonly title: string;
  readonly edits: readonly Edit[];
}

interface Edit {
  readonly file: string;
  /** Null for a whole file. */
  readonly at: { readonly how: 'after' | 'in place of'; readonly line: string } | null;
  readonly text: string;
}

const block = /^`([^`\n]+)`(?:, (after|in place of) `([^`\n]+)`)?:\n\n(`{3,})\w+\n([\s\S]*?)^\4$/gm;

/** Sections without a block are not recipes. */
export function recipes(): Recipe[] {
  const text = readFileSync(join(repository, 'docs', 'extending.md'), 'utf8');
  const [, ...sections] = text.split(/^## /m);
  return sections
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      edits: [...section.matchAll(block)].map(editOf),
    }))
    .filter(({ edits }) => edits.length > 0);
}

function editOf([, file = '', how, line, , text = '']: RegExpExecArray): Edit {
  return { file, at: line !== undefined && (how === 'after' || how === 'in place of') ? { how, line } : null, text };
}

/** Applies a recipe to a copy of the project. Throws unless each line that it names exists exactly once. */
export function carryOut({ edits }: Recipe, folder: string): void {
  for (const { file, at, text } of edits) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, at === null ? text : edited(readFileSync(path, 'utf8'), file, at, text));
  }
}

function edited(before: string, file: string, { how, line }: NonNullable<Edit['at']>, text: string): string {
  const lines = before.split('\n');
  const places = lines.flatMap((one, place) => (one.trim().startsWith(line) ? [place] : []));
  const [place] = places;
  if (place === undefined || places.length > 1)
    throw new Error(`${file} has ${places.length} lines that begin with "${line}"`);
  const start = how === 'after' ? place + 1 : place;
  return [...lines.slice(0, start), ...text.replace(/\n$/, '').split('\n'), ...lines.slice(place + 1)].join('\n');
}
