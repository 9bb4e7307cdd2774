/** `agree`: how far a person's labels of a sample agree with those of a run's labelling models. */
import { readFile } from 'node:fs/promises';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { number } from '../../analysis/report/cells.ts';
import type { DataTable } from '../../analysis/report/part.ts';
import { tableLines } from '../../analysis/report/text/terminal.ts';
import { records } from '../../analysis/records.ts';
import { quoteText } from '../../analysis/views.ts';
import { InputError } from '../../domain/errors.ts';
import { unreadable } from '../../domain/unreadable.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Taxonomy } from '../../schemas/taxonomy.ts';
import { studyOf } from '../../studies/index.ts';
import { type PersonAgreement, personAgreement } from '../../studies/labels/person-agreement.ts';
import { type PersonsLabels, readLabels } from '../../studies/labels/sample.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import { plain, type Terminal } from '../output/terminal.ts';

export async function agree(
  id: string,
  file: string,
  { runsDir }: { runsDir: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const { home, manifest } = await runCatalog(runsDir).find(id);
  const taxonomies = taxonomiesOf(manifest);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new InputError(unreadable(error), { file });
  });
  const person = readLabels(text, file, (study) => taxonomies.get(study));
  if (person.length === 0)
    throw new InputError('has no labelled line: replace null by theme numbers in at least one line', { file });
  const database = await openRun(await home.tables());
  try {
    const rows = await agreements(database, manifest, person, taxonomies);
    if (rows.length === 0)
      throw new InputError('the run has no labels to compare with: none of its studies has a labeller', { file });
    terminal.out(tableLines(agreementTable(rows), plain));
    terminal.document({ run: id, agreement: rows });
    return exitStatus.done;
  } finally {
    database.close();
  }
}

/** By study, for studies whose prompts are labelled. */
const taxonomiesOf = ({ spec }: Manifest): ReadonlyMap<string, Taxonomy> =>
  new Map(
    spec.studies.flatMap((study) => {
      const taxonomy = studyOf(study).labels?.taxonomy(study);
      return taxonomy === undefined ? [] : [[study.name, taxonomy] as const];
    }),
  );

async function agreements(
  database: RunDatabase,
  { runId }: Manifest,
  person: readonly PersonsLabels[],
  taxonomies: ReadonlyMap<string, Taxonomy>,
): Promise<PersonAgreement[]> {
  const rows: PersonAgreement[] = [];
  for (const [study, own] of Map.groupBy(person, (labels) => labels.study)) {
    const taxonomy = taxonomies.get(study);
    if (taxonomy === undefined) continue;
    const labels = await records(
      database,
      `from labels where run = ${quoteText(runId)} and study = ${quoteText(study)}`,
    );
    rows.push(...personAgreement(study, own, labels, taxonomy));
  }
  return rows;
}

const agreementTable = (rows: readonly PersonAgreement[]): DataTable => ({
  words: 3,
  heads: ['study', 'labeller', 'theme', 'n', 'same', "Cohen's kappa", "Krippendorff's alpha"],
  rows: rows.map(({ study, run, theme, name, n, same, kappa, alpha }) => [
    ...[study, run, theme === null ? name : `${theme} ${name}`],
    ...[String(n), String(same)],
    ...[number(kappa), number(alpha)],
  ]),
});
