/**
 * Generates from bench/results/ what docs/ says of measurements: pages with target, current figure, command and limit
 * of each, and the tables in pages that are written by hand.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrappedMarkdown } from '../domain/markdown-lines.ts';
import { blockText, filledPage } from './measured/page-blocks.ts';
import { type MeasuredTable, readMeasuredTables } from './measured/tables.ts';
import { type Machines, readMachines, readTopics, type ResultRow, type ResultTopic } from './results.ts';

export interface ResultPage {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

export function resultPages(
  topics: readonly ResultTopic[] = readTopics(),
  machines: Machines = readMachines(),
): ResultPage[] {
  return topics.map((topic) => ({ path: topic.page, text: pageText(topic, machines) }));
}

/**
 * Those of `pages` that have blocks of measured tables, with the blocks filled. Throws if a block has no tables, or if
 * tables are in no page.
 */
export function tablePages(
  pages: readonly ResultPage[] = handwrittenPages(),
  tables: ReadonlyMap<string, readonly MeasuredTable[]> = readMeasuredTables(),
  machines: Machines = readMachines(),
): ResultPage[] {
  const contentOf = (block: string): string | undefined => {
    const own = tables.get(block);
    return own && blockText(own, machines);
  };
  const filled = pages.map(({ path, text }) => ({ path, ...filledPage(path, text, contentOf) }));
  const shown = new Set(filled.flatMap(({ blocks }) => blocks));
  const missing = [...tables.keys()].filter((name) => !shown.has(name));
  if (missing.length > 0) throw new Error(`tables must be in a page of docs/, found in none: ${missing.join(', ')}`);
  return filled.filter(({ blocks }) => blocks.length > 0).map(({ path, text }) => ({ path, text }));
}

export const generatedPages = (): ResultPage[] => [...resultPages(), ...tablePages()];

export function writeResultPages(print: (line: string) => void): void {
  for (const { path, text } of generatedPages()) {
    writeFileSync(join(repository, path), text);
    print(path);
  }
}

const repository = join(import.meta.dirname, '..');

function handwrittenPages(): ResultPage[] {
  const generated = new Set(readTopics().map(({ page }) => page));
  return readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('docs', name))
    .filter((path) => path.endsWith('.md') && !generated.has(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(repository, path), 'utf8') }));
}

function pageText({ title, intro, rows, sections }: ResultTopic, machines: Machines): string {
  const made =
    'Generated from `bench/results/` by `npm run bench -- pages`; do not edit. Earlier measurements are there too.';
  const further = sections.flatMap(({ title: heading, entries }) => [
    `## ${heading}`,
    entries.map((entry) => wrappedMarkdown(entry, '- ')).join('\n'),
  ]);
  const paragraphs = [
    ...[...intro, made].map((text) => wrappedMarkdown(text)),
    ...rows.map((row) => rowText(row, machines)),
    ...further,
  ];
  return `${[`# ${title}`, ...paragraphs, machinesText(rows, machines)].join('\n\n')}\n`;
}

function rowText({ what, wanted, command, limit, measurements }: ResultRow, machines: Machines): string {
  const last = measurements.at(-1);
  if (last === undefined || machines[last.machine] === undefined)
    throw new Error(`${what}: no measurement on a known machine`);
  const where =
    `${last.date ?? 'day not recorded'}, machine ` +
    `\`${last.machine}\`${last.commit === null ? '' : `, commit ${last.commit}`}`;
  const note = last.note === undefined ? '' : ` ${last.note}`;
  const entries = [
    `Target: ${wanted}.`,
    `Current: **${last.value}** (${where}).${note}`,
    `Limit: ${limit}`,
    `Command: \`${command}\``,
  ];
  return [`## ${what}`, '', ...entries.map((entry) => wrappedMarkdown(entry, '- '))].join('\n');
}

/** The machines on which the page's current figures were measured. */
function machinesText(rows: readonly ResultRow[], machines: Machines): string {
  const used = new Set(rows.flatMap(({ measurements }) => measurements.at(-1)?.machine ?? []));
  const entries = [...used].sort().map((name) => wrappedMarkdown(`\`${name}\`: ${machines[name]}.`, '- '));
  return ['## Machines', '', ...entries].join('\n');
}
