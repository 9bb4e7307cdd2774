/** Fills the blocks `<!-- measured NAME -->` to `<!-- end -->` of a page with the tables of that name. */
import { wrappedMarkdown } from '../../domain/markdown-lines.ts';
import type { Machines } from '../results.ts';
import { lastMeasurement, type MeasuredTable, type TableMeasurement } from './tables.ts';

export interface FilledPage {
  readonly text: string;
  /** Names of its blocks. */
  readonly blocks: readonly string[];
}

const end = '<!-- end -->';

/** @param contentOf the text of a block; undefined if there is none of that name */
export function filledPage(path: string, text: string, contentOf: (block: string) => string | undefined): FilledPage {
  const [lines, blocks]: [string[], string[]] = [[], []];
  let open: string | null = null;
  for (const line of text.split('\n')) {
    const block = /^<!-- measured (.*) -->$/.exec(line)?.[1];
    if (open !== null && block !== undefined)
      throw new Error(`${path}: block "${open}" must end with ${end} before block "${block}" begins`);
    if (block !== undefined) {
      const content = contentOf(block);
      if (content === undefined)
        throw new Error(`${path}: block "${block}" has no file bench/results/tables/${block}.json`);
      lines.push(line, '', content, '');
      blocks.push(block);
      open = block;
      continue;
    }
    if (line === end) open = null;
    if (open === null) lines.push(line);
  }
  if (open !== null) throw new Error(`${path}: block "${open}" must end with ${end}`);
  return { text: lines.join('\n'), blocks };
}

/** Where and how the tables were measured, then the tables. A single table has its title in the page's own text. */
export function blockText(tables: readonly MeasuredTable[], machines: Machines): string {
  const drawn = tables.flatMap((table) => [...(tables.length > 1 ? [captionOf(table)] : []), tableText(table)]);
  return [sourcesText(tables, machines), ...drawn].join('\n\n');
}

function captionOf(table: MeasuredTable): string {
  const details = detailsOf(table);
  return wrappedMarkdown(`**${table.title}**${details.length === 0 ? '' : ` (${details.join(', ')})`}:`);
}

const detailsOf = (table: MeasuredTable): string[] =>
  [table.method, lastMeasurement(table).size].filter((part) => part !== undefined);

function tableText(table: MeasuredTable): string {
  const { columns } = table;
  const { rows } = lastMeasurement(table);
  if (columns === undefined) return rows.map(([entry = '']) => wrappedMarkdown(entry, '- ')).join('\n');
  return [rowText(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(rowText)].join('\n');
}

const rowText = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** One sentence if all tables were measured together; otherwise a list, the measurement of most tables last. */
function sourcesText(tables: readonly MeasuredTable[], machines: Machines): string {
  // The caption of one of several tables has its details.
  const sourceOf = (table: MeasuredTable): string =>
    sourceText(lastMeasurement(table), tables.length > 1 ? [] : detailsOf(table), machines);
  const groups = [...Map.groupBy(tables, sourceOf)];
  const [first] = groups;
  if (first !== undefined && groups.length === 1) return wrappedMarkdown(`Measured with ${first[0]}`);
  const entries = groups
    .toSorted(([, a], [, b]) => a.length - b.length)
    .map(([source, own], index) => {
      const names = index === groups.length - 1 ? 'all other tables' : own.map(({ title }) => title).join('; ');
      return wrappedMarkdown(`${names}: ${source}`, '- ');
    });
  return ['Measured:', entries.join('\n')].join('\n\n');
}

function sourceText(
  { date, machine, commit, command, note }: TableMeasurement,
  details: readonly string[],
  machines: Machines,
): string {
  const where = [
    date ?? 'day not recorded',
    machine === null ? 'machine not recorded' : knownMachine(machine, machines),
    commit === null ? 'commit not recorded' : `commit ${commit}`,
    ...details,
  ];
  const how = command === null ? 'a command that was not recorded' : `\`${command}\``;
  return `${how} (${where.join('; ')}).${note === undefined ? '' : ` ${note}`}`;
}

function knownMachine(machine: string, machines: Machines): string {
  const description = machines[machine];
  if (description === undefined) throw new Error(`machine "${machine}" must be in bench/results/machines.json`);
  return description;
}
