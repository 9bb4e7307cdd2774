/** The flat table of answers as one Parquet file. */
import { quoteText } from '../../../analysis/views.ts';
import type { WriteFile } from './export-format.ts';

export const parquetFile: WriteFile = ({ database, study, model }) => {
  const wanted = [
    ...(study === null ? [] : [`study = ${quoteText(study)}`]),
    ...(model === null ? [] : [`model = ${quoteText(model)}`]),
  ];
  return database.copy(`SELECT * FROM answers${wanted.length === 0 ? '' : ` WHERE ${wanted.join(' AND ')}`}`);
};
