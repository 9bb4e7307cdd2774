/** `agree`: how far a person's labels of a sample agree with those of a run's labelling models. */
import { readFile } from 'node:fs/promises';
import { openRun } from '../../analysis/database.ts';
import { number } from '../../analysis/report/cells.ts';
import type { DataTable } from '../../analysis/report/part.ts';
import { tableLines } from '../../analysis/report/text/terminal.ts';
import { records } from '../../analysis/records.ts';
import type { RunTables } from '../../analysis/run-folder.ts';
import { quoteText } from '../../analysis/views.ts';
import { counted } from '../../domain/counted.ts';
import { InputError } from '../../domain/errors.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import { nameList } from '../../domain/name-list.ts';
import { unreadable } from '../../domain/unreadable.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Taxonomy } from '../../schemas/taxonomy.ts';
import { studyOf } from '../../studies/index.ts';
import { type PersonAgreement, personAgreement } from '../../studies/labels/person-agreement.ts';
import { type LabelledLine, promptKey, promptName, readLabels } from '../../studies/labels/sample.ts';
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
  const named = new Set(person.map(({ study }) => study));
  const labels = await labelsOf(await home.tables(), manifest.runId, named);
  if (labels.length === 0) throw new InputError(noLabelsText(manifest, named), { file });
  const foreign = linesWithout(labels, person, file);
  if (foreign !== null) terminal.note(plain(foreign.note));
  const rows = [...taxonomies].flatMap(([study, taxonomy]) =>
    personAgreement(
      study,
      person.filter((line) => line.study === study),
      labels.filter((row) => row['study'] === study),
      taxonomy,
    ),
  );
  terminal.out(tableLines(agreementTable(rows), plain));
  terminal.document({ run: id, agreement: rows, notCompared: foreign?.count ?? 0 });
  return exitStatus.done;
}

/** By study, for studies whose prompts are labelled. */
const taxonomiesOf = ({ spec }: Manifest): ReadonlyMap<string, Taxonomy> =>
  new Map(
    spec.studies.flatMap((study) => {
      const taxonomy = studyOf(study).labels?.taxonomy(study);
      return taxonomy === undefined ? [] : [[study.name, taxonomy] as const];
    }),
  );

/** Why the run has no label of the studies that a file names, and what to do. */
function noLabelsText({ runId, spec }: Manifest, named: ReadonlySet<string>): string {
  const studies = spec.studies.filter(({ name }) => named.has(name));
  const labelled = studies.filter((study) => (studyOf(study).labels?.labellers(study) ?? []).length > 0);
  const [noun, verb] = (labelled.length || studies.length) === 1 ? ['study', 'has'] : ['studies', 'have'];
  const namesOf = (some: typeof studies): string => `${noun} ${nameList(some.map(({ name }) => name))}`;
  return labelled.length === 0
    ? `the run has no labels to compare with: ${namesOf(studies)} ${verb} no labeller`
    : `the run has no labels of ${namesOf(labelled)} yet: complete it with \`evenkeel resume ${runId}\`, then compare`;
}

/** The run's labels of some studies. */
async function labelsOf(tables: RunTables, runId: string, studies: ReadonlySet<string>): Promise<Row[]> {
  const database = await openRun(tables);
  try {
    const names = [...studies].map(quoteText).join(', ');
    return await records(database, `from labels where run = ${quoteText(runId)} and study in (${names})`);
  } finally {
    database.close();
  }
}

/**
 * Lines whose prompt the run has no labels of; null if there are none.
 * @throws InputError if that is all of them, which are then of another run
 */
function linesWithout(
  labels: readonly Row[],
  person: readonly LabelledLine[],
  file: string,
): { readonly count: number; readonly note: string } | null {
  const known = new Set(
    labels.map((row) =>
      promptKey({ study: textOf(row, 'study'), taskId: textOf(row, 'task_id'), variant: textOf(row, 'variant') }),
    ),
  );
  const foreign = person.filter((line) => !known.has(promptKey(line)));
  const [first] = foreign;
  if (first === undefined) return null;
  const which = `the first is line ${first.line} (${promptName(first)})`;
  if (foreign.length === person.length)
    throw new InputError(`labels no prompt that the run has labels of: is it a sample of another run? ${which}`, {
      file,
    });
  const note =
    `${file}: ${foreign.length} of ${counted(person.length, 'labelled line')} not compared, since the run has no ` +
    `labels of their prompts; ${which}`;
  return { count: foreign.length, note };
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
