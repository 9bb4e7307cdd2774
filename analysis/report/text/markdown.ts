/** The parts of a report as Markdown, for a pull request or a terminal. */
import { type DataTable, isEmpty, isTable, type Part, type Section } from '../part.ts';
import { cellText, textTable } from './text-table.ts';

const topLevel = 2;
const deepestLevel = 4;

/** Empty if no part has content. Figures and long texts are in the HTML report only. */
export function partsMarkdown(parts: readonly Part[], level = topLevel): string {
  return parts
    .map((part) => (isEmpty(part) ? '' : partMarkdown(part, level)))
    .filter((text) => text !== '')
    .join('\n\n');
}

function partMarkdown(part: Part, level: number): string {
  if (isTable(part)) return tableMarkdown(part);
  if (part.kind === 'section') return sectionMarkdown(part, level);
  return part.kind === 'note' ? escapeMarkdown(part.text) : '';
}

function sectionMarkdown({ title, pageOnly, parts }: Section, level: number): string {
  if (pageOnly) return '';
  if (title === undefined) return partsMarkdown(parts, level);
  const inner = partsMarkdown(parts, level + 1);
  return inner === '' ? '' : `${headingMarkdown(title, level)}\n\n${inner}`;
}

const headingMarkdown = (title: string, level: number): string =>
  `${'#'.repeat(Math.min(level, deepestLevel))} ${escapeMarkdown(title)}`;

/** A table that stands alone. @param caption a paragraph under it */
export const tableWithCaption = (caption: string, table: DataTable): string =>
  `${rowsMarkdown(table)}\n\n${escapeMarkdown(caption)}\n`;

function tableMarkdown(table: DataTable): string {
  return [
    ...(table.title === undefined ? [] : [headingMarkdown(table.title, deepestLevel)]),
    ...(table.note === undefined ? [] : [escapeMarkdown(table.note)]),
    rowsMarkdown(table),
  ].join('\n\n');
}

function rowsMarkdown(table: DataTable): string {
  const { heads, rows } = textTable(table);
  return linesMarkdown(
    heads,
    rows.map((row) => row.map((cell) => cellText(cell, ' (simulated)'))),
  );
}

function linesMarkdown(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeMarkdown).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Escapes text so that Markdown shows it literally; line breaks, control and direction characters become spaces. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/\p{Cc}+|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replaceAll(/[\\`*_[\]<>|#~]/g, '\\$&')
    .replaceAll('&', '&amp;');
