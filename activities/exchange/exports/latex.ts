/** The tables of the report as LaTeX, as `report --format tex` writes them. */
import { contextOf } from '../../../analysis/report/context.ts';
import { pageParts, reportPages } from '../../../analysis/report/report-pages.ts';
import { partsLatex } from '../../../analysis/report/text/latex.ts';
import { InputError } from '../../../domain/errors.ts';
import { collectReport } from '../../../studies/report.ts';
import type { WriteText } from './export-format.ts';

export const latexText: WriteText = async function* ({ database, model, study }) {
  if (model !== null || study !== null)
    throw new InputError('LaTeX holds the tables of the whole run; leave it out', {
      field: model === null ? '--study' : '--model',
    });
  const report = await collectReport(database, null);
  const { overview, studies, after } = reportPages(report, contextOf(report));
  yield partsLatex(pageParts([overview, ...studies, ...after]));
};
