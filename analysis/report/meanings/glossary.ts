/** What the columns of a page's tables mean, for tooltips: a study says it once for all of its tables. */
import { type DataTable, type Head, headOf, holdsWords, isTable, type Part, type Section } from '../part.ts';

export interface Glossary {
  /** By the text of a head, or by `Title of the table: head` where a head means different things. */
  readonly heads: Readonly<Record<string, string>>;
  /** For heads that are made of numbers and names, with or without the title of the table before them. */
  readonly patterns?: readonly (readonly [RegExp, string])[];
  /** Heads of counts, and of facts such as a model's size: they have no n. By text, or with the table's title. */
  readonly counts?: readonly (string | RegExp)[];
  /**
   * By the title of a table without a column `n`: the head that holds n, or n in words. `''`: a head, for all other
   * tables that have it.
   */
  readonly n?: Readonly<Record<string, string>>;
  /** How intervals are computed, for tables that do not say it themselves: sentences. */
  readonly method: string;
}

/** The parts with a meaning for every column of numbers that has none yet, and a method for every table. */
export const withMeanings = (parts: readonly Section[], glossary: Glossary): Section[] =>
  parts.map((part) => ({ ...part, parts: part.parts.map((inner) => explained(inner, glossary)) }));

function explained(part: Part, glossary: Glossary): Part {
  if (part.kind === 'section') return { ...part, parts: part.parts.map((inner) => explained(inner, glossary)) };
  if (!isTable(part)) return part;
  const heads = part.heads.map((head, column) =>
    holdsWords(part, column) ? head : withMeaning(headOf(head), part, glossary),
  );
  const usual = heads.some((head) => headOf(head).text === glossary.n?.['']) ? glossary.n?.[''] : undefined;
  const n = part.n ?? (part.title === undefined ? undefined : own(glossary.n, part.title)) ?? usual;
  return { ...part, heads, method: part.method ?? glossary.method, ...(n === undefined ? {} : { n }) };
}

function withMeaning(plain: Head, { title = '' }: DataTable, { heads, patterns = [], counts = [] }: Glossary): Head {
  const full = plain.under === undefined ? plain.text : `${plain.text}, ${plain.under}`;
  const isCount = counts.some((of) =>
    typeof of === 'string' ? [full, plain.text, `${title}: ${plain.text}`].includes(of) : of.test(`${title}: ${full}`),
  );
  const head = isCount ? { ...plain, count: true } : plain;
  if (head.meaning !== undefined || head.drawn) return head;
  const meaning =
    own(heads, `${title}: ${head.text}`) ??
    own(heads, full) ??
    own(heads, head.text) ??
    patterns.find(([of]) => of.test(full) || of.test(`${title}: ${full}`))?.[1];
  return meaning === undefined ? head : { ...head, meaning };
}

/** Heads and titles may be names that users chose, and every object has some, such as `constructor`. */
const own = (words: Glossary['heads'] | undefined, name: string): string | undefined =>
  words !== undefined && Object.hasOwn(words, name) ? words[name] : undefined;
