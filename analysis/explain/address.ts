/** How a row of a run is named on the command line. */
import { InputError } from '../../domain/errors.ts';
import type { Row } from '../../schemas/tables.ts';

/** Which answers of a cell are meant: all that are equal in what is stated. */
export interface AnswerPlace {
  readonly step?: string;
  readonly loop?: string;
  readonly ask?: string;
  readonly sample?: string;
}

export type RowAddress =
  | { readonly kind: 'cell'; readonly id: string; readonly place: AnswerPlace }
  | {
      readonly kind: 'row';
      readonly table: string;
      /** Values as text, as `query` prints them. */
      readonly where: readonly (readonly [column: string, value: string])[];
    };

const rule =
  'must be an address of the report (x-1a2b3c4d5e6f), of table answers (x-1a2b3c4d5e6f/generate/1/0/0), or a table ' +
  'with values of its columns (samples task_id=MBPP/2 model=gpt-4o)';

/** Throws InputError for words that are not an address. A whole link to a report's example is one. */
export function parseAddress(words: readonly string[]): RowAddress {
  const [first = '', ...others] = words;
  const cell = /(?:^|#)x-([0-9a-f]{12})(?:\.\d+)?(?:~.*)?((?:\/[^/]+){0,4})$/.exec(first);
  if (cell !== null && others.length === 0) {
    const [step, loop, ask, sample] = (cell[2] ?? '').split('/').slice(1);
    const stated = Object.entries({ step, loop, ask, sample }).filter(([, value]) => value !== undefined);
    return { kind: 'cell', id: cell[1] ?? '', place: Object.fromEntries(stated) };
  }
  if (!/^[a-z][a-z0-9_]*$/.test(first)) throw new InputError(`${rule}; got "${words.join(' ')}"`, { field: 'row' });
  return { kind: 'row', table: first, where: others.map(conditionOf) };
}

function conditionOf(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
  throw new InputError(`after the table, each word must be column=value; got "${word}"`, { field: 'row' });
}

/** The words that name a row: its table, and these columns of it. */
export const rowWords = (table: string, values: Row): readonly string[] => [
  table,
  ...Object.entries(values).map(([column, value]) => `${column}=${String(value)}`),
];
