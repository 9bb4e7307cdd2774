/** What a page provides for the cells of the cards on it. */
import type { Row } from '../../schemas/tables.ts';
import type { DataCell } from '../report/part.ts';

/** Names a model in a table. */
export type ModelCell = (run: string, model: string) => DataCell;

/** The address of the examples behind a row of `cards`; undefined if the page holds none. */
export type Evidence = (row: Row) => string | undefined;
