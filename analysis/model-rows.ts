/** One model's rows of a stored table in one study. */
import type { TableName } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { quoteText } from './views.ts';

export interface ModelOfStudy {
  readonly run: string;
  readonly study: string;
  readonly model: string;
}

/** SQL condition for the model's rows. */
export const ofModel = ({ run, study, model }: ModelOfStudy): string =>
  `run = ${quoteText(run)} AND study = ${quoteText(study)} AND model = ${quoteText(model)}`;

/** SQL in brackets that selects them, from the model's own files. */
export const modelRows = (database: RunDatabase, table: TableName, of: ModelOfStudy): string =>
  `(FROM (${database.rowsOf(table, of.run, of.model)}) WHERE ${ofModel(of)})`;
