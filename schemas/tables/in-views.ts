/** Tables as views show them: each has a column `run`, since a view may have the rows of several runs. */
import { type Table, text } from './column.ts';

/** Files of these tables do not say which run they belong to: a view adds it. */
export const lacksRun = ({ columns }: Table): boolean => !('run' in columns);

const added = { run: text('Run id. Not in the files: views add it.') };

export const inViews = (table: Table): Table =>
  lacksRun(table) ? { ...table, key: ['run', ...table.key], columns: { ...added, ...table.columns } } : table;
