/** `agree`: a person's labels of a sample against those of a run's labelling models. */
import { readFile } from 'node:fs/promises';
import Table from 'cli-table3';
import { openRun } from '../../analysis/database.ts';
import { type PersonAgreement, personAgreement } from '../../analysis/person-agreement.ts';
import { records } from '../../analysis/records.ts';
import { specificityStudies } from '../../analysis/specificity-tables.ts';
import { missing } from '../../analysis/report/format.ts';
import { quoteText } from '../../analysis/views.ts';
import { InputError } from '../../domain/errors.ts';
import { readLabels } from '../../studies/specificity/label-sample.ts';
import { taxonomyOf } from '../../studies/specificity/settings.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { findRun } from '../run-folders.ts';
import { plain, type Terminal } from '../terminal.ts';

export async function agree(id: string, file: string, { runsDir }: { runsDir: string }, terminal: Terminal): Promise<ExitStatus> {
  const { folder, manifest } = await findRun(runsDir, id);
  const studies = new Map(specificityStudies(manifest).map((study) => [study.name, study]));
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`cannot be read: ${error.message}`, { file });
  });
  const person = readLabels(text, file, (name) => {
    const study = studies.get(name);
    return study && taxonomyOf(study.settings);
  });
  if (person.length === 0) throw new InputError('holds no labelled line: write the numbers of themes in place of null', { file });
  const database = await openRun(folder);
  try {
    const rows: PersonAgreement[] = [];
    for (const [name, own] of Map.groupBy(person, ({ study }) => study)) {
      const labels = await records(database, `from labels where run = ${quoteText(manifest.runId)} and study = ${quoteText(name)}`);
      const study = studies.get(name);
      if (study !== undefined) rows.push(...personAgreement(name, own, labels, taxonomyOf(study.settings)));
    }
    if (rows.length === 0) throw new InputError('the run has no labels to agree with: its studies name no labeller', { file });
    terminal.out(tableText(rows));
    terminal.document({ run: id, agreement: rows });
    return exitStatus.done;
  } finally {
    database.close();
  }
}

function tableText(rows: readonly PersonAgreement[]): string {
  const head = ['study', 'labeller', 'theme', 'n', 'same', "Cohen's kappa", "Krippendorff's alpha"];
  const table = new Table({ head, style: { head: [], border: [] } });
  const number = (value: number | null): string => value?.toFixed(3) ?? missing;
  for (const { study, run, theme, name, n, same, kappa, alpha } of rows)
    table.push([plain(study), plain(run), theme === null ? name : `${plain(theme)} ${plain(name)}`, n, same, number(kappa), number(alpha)]);
  return table.toString();
}
