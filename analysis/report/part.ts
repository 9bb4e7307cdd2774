/**
 * The parts of a report. A study describes its results once with these; renderers turn them into HTML, Markdown,
 * terminal text, CSV and LaTeX.
 */
import type { Drawing } from './charts/drawing.ts';
import type { Html } from './html.ts';

export type Part = Section | DataTable | Figure | Grid | Note | Texts;

/** A heading with its content. Without a title it only groups parts. An empty section is not drawn. */
export interface Section {
  readonly kind: 'section';
  /** For links into the page. Default: made from its title. */
  readonly id?: string;
  /** Its entry in its page's list of contents. Default: its title. */
  readonly name?: string;
  readonly title?: string;
  /** Collapsed until the reader opens it. */
  readonly folded?: boolean;
  /** Shown in HTML only: too long for the other formats, and the run's tables have all of it. */
  readonly pageOnly?: boolean;
  readonly parts: readonly Part[];
}

/** A paragraph. */
export interface Note {
  readonly kind: 'note';
  readonly text: string;
  /** Set in smaller print, as explanations are. */
  readonly small?: boolean;
  /** The answer of a page: set in larger print. */
  readonly lead?: boolean;
}

/** Charts side by side. Only HTML draws them: a table holds the same values. */
export interface Figure {
  readonly kind: 'figure';
  /** For links into the page. Default: made from its title. */
  readonly id?: string;
  readonly title?: string;
  readonly note?: string;
  readonly legend?: readonly LegendEntry[];
  readonly panels: readonly Panel[];
  /** Drawn without a frame and as wide as the page. */
  readonly wide?: boolean;
}

export interface LegendEntry {
  /** CSS colour. */
  readonly color: string;
  readonly text: string;
}

export interface Panel {
  readonly caption?: string | DataCell;
  /** Text to the right of the caption. */
  readonly aside?: string;
  readonly chart: () => Drawing | Promise<Drawing>;
}

/** Long texts, such as programs and prompts, side by side. Only HTML shows them: all are in the run's tables. */
export interface Texts {
  readonly kind: 'texts';
  readonly texts: readonly { readonly title?: string; readonly text: string }[];
}

/**
 * One row per task, one column per model, with short cells. HTML can also show the conditions of one model as columns;
 * CSV shows the first condition. Too large for the other formats.
 */
export interface Grid {
  readonly kind: 'grid';
  /** For links into the page. Default: made from its title. */
  readonly id?: string;
  readonly title: string;
  readonly note?: string;
  readonly models: readonly { readonly id: string; readonly simulated: boolean }[];
  /** What can be shown of a model: phrasings, loops, levels of detail. At least one; the first is shown first. */
  readonly conditions: readonly GridCondition[];
  /** What the conditions are, in the plural. Default: they are not offered as columns. */
  readonly varies?: string;
  readonly rows: readonly GridRow[];
  readonly examples: readonly GridExample[];
}

export interface GridCondition {
  readonly name: string;
  /** The value that gets the darkest shade. */
  readonly most: number;
  /** Follows `most`, such as ` %`. */
  readonly unit?: string;
  /** The least value that passes. Two columns flip on a task if one of them passes and the other does not. */
  readonly passes: number;
  /** What it is to pass, in words: `lasts all 10 loops`. */
  readonly passing: string;
  /** Sums up other conditions, and so does not count in a mean over conditions. */
  readonly sum?: boolean;
}

export interface GridRow {
  readonly task: string;
  /** What the task asks for. */
  readonly words: string;
  /** Shown next to the task. */
  readonly tag?: string;
  /** By condition, then by model. */
  readonly cells: readonly (readonly GridCell[])[];
}

/** Cells that show the same are the same object, so that large grids are packed fast. */
export interface GridCell {
  readonly text: string;
  readonly value: number | null;
  /** The value in words: `lasted 3 of 10 loops`. */
  readonly meaning: string;
}

/** A cell that the page holds an example of. */
export interface GridExample {
  readonly id: string;
  readonly task: string;
  readonly model: string;
  /** Place among the conditions; null if the example belongs to all of them. */
  readonly condition: number | null;
}

export interface DataTable {
  readonly kind?: 'table';
  /** For links into the page. Default: made from its title. */
  readonly id?: string;
  readonly title?: string;
  readonly note?: string;
  /** What n counts and how the intervals are computed, for captions and tooltips: sentences. */
  readonly method?: string;
  /** Of a table without a column `n`: the head of the column that holds n, or n in words. For tooltips. */
  readonly n?: string;
  /** Number of text columns; they come before the number columns. A `Head` can override this for its column. */
  readonly words: number;
  readonly heads: readonly (string | Head)[];
  readonly rows: readonly DataRow[];
  /** Rows below a rule at the table's end. */
  readonly totals?: readonly DataRow[];
  /** Indices of this report's rows in a table that also holds published rows; they are highlighted. */
  readonly own?: readonly number[];
  /** Long tables are folded. */
  readonly folded?: boolean;
  /** `board` for a study's main table, `close` for many narrow columns. */
  readonly look?: 'board' | 'close';
  /**
   * HTML names only so many rows at the top and at the bottom, in any order; those between are low, as the rows of a
   * dot plot, until the reader finds them by words or asks for all names.
   */
  readonly named?: number;
}

export type DataRow = readonly (DataCell | string)[];

export interface Head {
  readonly text: string;
  /** What the numbers mean, for its tooltip: a sentence without its full stop. */
  readonly meaning?: string;
  /** Its numbers are counts, or facts such as a model's size: none of them is computed from n values. */
  readonly count?: boolean;
  readonly under?: string;
  /** Whether the column holds words. Default: by its place and the table's `words`. */
  readonly words?: boolean;
  /** Omitted in the terminal, to save room. */
  readonly aside?: boolean;
  /** In the terminal, its cells are shown without their `under` lines. */
  readonly brief?: boolean;
  /** Holds drawings of other columns' numbers: shown in HTML only. */
  readonly drawn?: boolean;
  /** The ends of the axis of its drawings, left and right: shown in HTML only. */
  readonly ends?: readonly [string, string];
}

export interface ModelMark {
  /** CSS colour. */
  readonly color: string;
  readonly simulated: boolean;
  /** What else a reader must know of the model: a word or two, and a sentence that HTML shows on demand. */
  readonly notes?: readonly { readonly mark: string; readonly text: string }[];
}

export interface DataCell {
  readonly text: string;
  /** The key that the column is sorted by. Default: the text. */
  readonly value?: number | null;
  /** Lines below the text, such as the interval. */
  readonly under?: readonly string[];
  /** Strength of the cell's colour, 0 to 10. */
  readonly shade?: number | null;
  /** The text in pieces, some of them marked. Only HTML shows the marks. */
  readonly pieces?: readonly { readonly text: string; readonly marked: boolean }[];
  /** A verdict's colour, with a strength of 0 to 100. */
  readonly tone?: { readonly good: boolean; readonly strength: number };
  /** For links into the page. */
  readonly id?: string;
  /** The text is a model's id. */
  readonly model?: ModelMark;
  /** Shown in HTML in place of the text and the lines below it. */
  readonly drawing?: Html;
  /** How many values it is computed from, as a number or in words. Default: the row's number in a column `n`. */
  readonly n?: number | string;
  /** First line of its tooltip. */
  readonly hint?: string;
  /** Address within the page, such as an `exampleLink`. Only HTML has it. */
  readonly link?: string;
}

export const section = (
  title: string | undefined,
  parts: readonly Part[],
  more: Pick<Section, 'id' | 'name' | 'folded' | 'pageOnly'> = {},
): Section => ({
  kind: 'section',
  ...(title === undefined ? {} : { title }),
  parts,
  ...more,
});

/** An explanation. */
export const note = (text: string): Note => ({ kind: 'note', text, small: true });

export const lead = (text: string): Note => ({ kind: 'note', text, lead: true });

export const paragraph = (text: string): Note => ({ kind: 'note', text });

export const isTable = (part: Part): part is DataTable => part.kind === undefined || part.kind === 'table';

/** Whether there is nothing to draw. */
export function isEmpty(part: Part): boolean {
  if (isTable(part)) return part.rows.length === 0;
  if (part.kind === 'section') return part.parts.every(isEmpty);
  if (part.kind === 'grid') return part.rows.length === 0;
  if (part.kind === 'figure') return part.panels.length === 0;
  return part.kind === 'texts' ? part.texts.length === 0 : part.text === '';
}

export const cellOf = (cell: DataCell | string): DataCell => (typeof cell === 'string' ? { text: cell } : cell);
export const headOf = (head: Head | string): Head => (typeof head === 'string' ? { text: head } : head);

/** Whether a column holds words rather than numbers. */
export const holdsWords = ({ words, heads }: DataTable, column: number): boolean =>
  headOf(heads[column] ?? '').words ?? column < words;

/** What a number of a table is computed from, as its tooltip says it; undefined if nothing says it. */
export function countedFrom({ heads, n }: DataTable, row: DataRow, column: number): string | undefined {
  const own = cellOf(row[column] ?? '');
  if (own.n !== undefined) return `n = ${own.n}`;
  if (own.hint !== undefined) return own.hint.split('\n').find((line) => line.startsWith('n = '));
  const named = n === undefined ? -1 : heads.findIndex((head) => headOf(head).text === n);
  const place = named < 0 ? heads.findIndex((head) => /(^| )n$/.test(headOf(head).text)) : named;
  if (place >= 0) return place === column ? undefined : `n = ${cellOf(row[place] ?? '').text}`;
  return n;
}

/** A table with only some of its columns. */
export function withColumns(table: DataTable, keep: (head: Head) => boolean): DataTable {
  const places = table.heads.flatMap((head, place) => (keep(headOf(head)) ? [place] : []));
  const chosen = (row: DataRow): DataRow => places.map((place) => row[place] ?? '');
  return {
    ...table,
    words: 0,
    heads: places.map((place) => ({ ...headOf(table.heads[place] ?? ''), words: holdsWords(table, place) })),
    rows: table.rows.map(chosen),
    ...(table.totals === undefined ? {} : { totals: table.totals.map(chosen) }),
  };
}
