/** Short names of cells and answers, which reports, `answers.address` and `explain` share. */
import { cellKeyNames } from '../../schemas/tables/keys.ts';

/**
 * The first 12 hex digits of a hash of the cell's key: equal to `sha256(JSON.stringify(key))`.
 * @param from prefix of the columns, such as `s.`
 */
export const cellIdSql = (from = ''): string =>
  `left(sha256(concat('[', concat_ws(',', ${cellKeyNames
    .map((column) => (column === 'repetition' ? `${from}${column}` : `to_json(${from}${column})`))
    .join(', ')}), ']')), 12)`;

/** `x-1a2b3c4d5e6f/generate/1/0/0`: cell, step, loop, ask, sample. @param from prefix of the columns */
export const answerAddressSql = (from = ''): string =>
  `concat_ws('/', 'x-' || ${cellIdSql(from)}, ${['step', 'loop', 'ask', 'sample']
    .map((column) => `${from}${column}`)
    .join(', ')})`;
