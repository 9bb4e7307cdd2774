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
  const { labels, texts } = await labelsOf(await home.tables(), manifest.runId, named);
  if (labels.length === 0) throw new InputError(noLabelsText(manifest, named), { file });
  const known = new Set(labels.map(keyOf));
  const foreign = person.filter((line) => !known.has(promptKey(line)) || isOtherText(line, texts));
  if (foreign.length > 0) terminal.note(plain(foreignNote(foreign, person.length, file)));
  const compared = person.filter((line) => !foreign.includes(line));
  const rows = [...taxonomies].flatMap(([study, taxonomy]) =>
    personAgreement(
      study,
      compared.filter((line) => line.study === study),
      labels.filter((row) => row['study'] === study),
      taxonomy,
    ),
  );
  terminal.out(tableLines(agreementTable(rows), plain));
  terminal.document({ run: id, agreement: rows, notCompared: foreign.length });
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

interface RunLabels {
  readonly labels: readonly Row[];
  /** By `promptKey`: the whole prompt that has the labelled text in it. An archive may lack them. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The run's labels of some studies. */
async function labelsOf(tables: RunTables, runId: string, studies: ReadonlySet<string>): Promise<RunLabels> {
  const database = await openRun(tables);
  try {
    const own = `run = ${quoteText(runId)} and study in (${[...studies].map(quoteText).join(', ')})`;
    const labels = await records(database, `from labels where ${own}`);
    const variants = await records(
      database,
      `select distinct study, task_id, variant, prompt from variants where ${own} and prompt is not null`,
    );
    return { labels, texts: new Map(variants.map((row) => [keyOf(row), words(textOf(row, 'prompt'))])) };
  } finally {
    database.close();
  }
}

const keyOf = (row: Row): string =>
  promptKey({ study: textOf(row, 'study'), taskId: textOf(row, 'task_id'), variant: textOf(row, 'variant') });

/** A text may be indented in its prompt, and stands there in the quotes of a docstring. */
const words = (text: string): string =>
  text
    .replaceAll(/"""|'''/g, '')
    .split(/\s+/)
    .join(' ')
    .trim();

/** Whether the run has another text of the same name as the person read. */
function isOtherText(line: LabelledLine, texts: ReadonlyMap<string, string>): boolean {
  const prompt = texts.get(promptKey(line));
  return line.prompt !== null && prompt !== undefined && !prompt.includes(words(line.prompt));
}

/**
 * On lines whose prompt the run has no labels of.
 * @throws InputError if that is all of them, which are then of another run
 */
function foreignNote(foreign: readonly LabelledLine[], all: number, file: string): string {
  const [first] = foreign;
  const which = first === undefined ? '' : `the first is line ${first.line} (${promptName(first)})`;
  if (foreign.length === all)
    throw new InputError(`labels no prompt that the run has labels of: is it a sample of another run? ${which}`, {
      file,
    });
  return (
    `${file}: ${foreign.length} of ${counted(all, 'labelled line')} not compared, since the run has no labels of ` +
    `their prompts; ${which}`
  );
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
