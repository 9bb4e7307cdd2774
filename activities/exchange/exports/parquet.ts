/** The flat table of answers as one Parquet file. */
import { quoteText } from '../../../analysis/views.ts';
import type { WriteFile } from './export-format.ts';
import { answer } from './judged-answers.ts';

export const parquetFile: WriteFile = ({ database, study, model }) => {
  const wanted = [
    ...(study === null ? [] : [`study = ${quoteText(study)}`]),
    ...(model === null ? [] : [`model = ${quoteText(model)}`]),
  ];
  const where = wanted.length === 0 ? '' : ` WHERE ${wanted.join(' AND ')}`;
  // Without an order, threads decide it, and two exports of a run have other bytes.
  return database.copy(`SELECT * FROM answers${where} ORDER BY ${answer.join(', ')}`);
};
