/**
 * Describes the tables of a run, for `query` without SQL and for docs/tables.md.
 * Generated from the schema, so that it cannot drift.
 */
import {
  callStatuses,
  costBases,
  excludedOutcomes,
  loopEndings,
  outcomes,
  replyStatuses,
  sandboxTiers,
  stepNames,
} from '../schemas/states.ts';
import { InputError } from '../domain/errors.ts';
import { wrappedMarkdown } from '../domain/markdown-lines.ts';
import { knownHint } from '../domain/nearest.ts';
import { type Column, type Table, tables } from '../schemas/tables.ts';
import { answersTable } from '../schemas/tables/answers.ts';
import { inViews } from '../schemas/tables/in-views.ts';
import { recordedAgreement } from '../schemas/tables/recorded.ts';

const closedLists = {
  reply_status: replyStatuses,
  outcome: outcomes,
  step: stepNames,
  ended_by: loopEndings,
  'status of a call': callStatuses,
  cost_basis: costBases,
  tier: sandboxTiers,
};

/** The flat view comes first: most questions need no other table. */
const all: readonly Table[] = [answersTable, recordedAgreement, ...Object.values(tables).map(inViews)];

/** For a terminal: one line per table, its name and what it holds. */
export function tableIndex(): { readonly name: string; readonly meaning: string }[] {
  return all.map(({ name, meaning }) => ({ name, meaning: firstLine(meaning) }));
}

/** The first sentence, cut after the last word that fits into one line. */
function firstLine(text: string): string {
  const sentence = firstSentence(text);
  if (sentence.length <= lineLength) return sentence;
  return `${sentence.slice(0, sentence.lastIndexOf(' ', lineLength - 1))} …`;
}
const lineLength = 100;

const firstSentence = (text: string): string => text.split(/[.;](?=\s|$)/)[0] ?? text;

/** One of the tables for a terminal: a line per column. Throws `InputError` for a name that none has. */
export function tableText(name: string, among: readonly Table[] = all): string {
  const table = among.find((one) => one.name === name);
  if (table === undefined) {
    const names = among.map((one) => one.name);
    throw new InputError(`no table "${name}"; ${knownHint(name, names)}`, { field: '--tables' });
  }
  return [
    `${table.name}: ${table.meaning}`,
    `  key: ${table.key.join(', ')}`,
    ...columnsOf(table).map(([column, about]) => `  ${column} (${typeText(about)}): ${meaningText(about)}`),
  ].join('\n');
}

/** The whole of docs/tables.md. */
export function tablesMarkdown(): string {
  return `${[intro, indexMarkdown(), ...all.map(tableMarkdown), listsMarkdown()].join('\n\n')}\n`;
}

const intro = `# Tables

Generated from \`schemas/tables.ts\`; do not edit. Begin with [answers](#answers), a row per sample with all that is
known of it; the [cookbook](cookbook.md) asks it ten questions. It is a view over the stored tables. Each other table
is a set of Parquet files, listed in \`manifest.json\`. \`evenkeel query\` shows each table as one view.
\`evenkeel query ID --shell-sql\` prints the statements that create the same views in any DuckDB; the folder of a
finished run has them in \`views.sql\`, for a DuckDB that is started there.

Every view has a column \`run\`. The files of a few tables lack it, as it is said there. A query of several runs joins
them by \`run\` too: \`verdicts JOIN executions USING (run, execution_id)\`.

A table's folder holds each row once: older files move to \`superseded/\`. Later versions only add columns; a column
that an older program did not write is null in its rows. Every table that names a model has a column \`simulated\`:
never use such rows as evidence about a real model.

A **volatile** column (times, latencies, attempts) may differ between two equal runs; all others are stable. A column
whose text does not mention null is never null. \`prompts\` and \`executions\` are stored once per page that used them;
the views show each once a run. A **page** is a group of at most 128 cells that a run finishes and stores together.

The files are Parquet 1.0 with UTC timestamps in milliseconds and lists. pandas 3.1.1 (pyarrow 26.0.1), polars 2.1.0,
R 4.2.2 (nanoparquet 0.5.1) and DuckDB 1.5 read all tables of a run with the same rows, nulls and types (checked by
hand, November 2026). \`study=\` and \`model=\` in a path are for people and may be shortened: use the columns of these
names inside the files. Tell this to a reader that would take them from the path:
\`pandas.read_parquet(folder, partitioning=None)\`, \`polars.read_parquet(folder, hive_partitioning=False)\`.`;

/** One line per table, with a link. */
const indexMarkdown = (): string =>
  [
    '## Index',
    '',
    ...all.map(({ name, meaning }) => wrappedMarkdown(`[${name}](#${name}): ${firstSentence(meaning)}.`, '- ')),
  ].join('\n');

const volatileRowsText = ({ volatileRows }: Table): string =>
  volatileRows === undefined ? '' : ` Volatile rows: those with ${volatileRows.where}, since ${volatileRows.why}.`;

function tableMarkdown(table: Table): string {
  const key = table.key.map((name) => `\`${name}\``).join(', ');
  return [
    `## ${table.name}`,
    '',
    wrappedMarkdown(table.meaning),
    '',
    wrappedMarkdown(`Key: ${key}. Schema version ${table.schemaVersion}.${volatileRowsText(table)}`),
    '',
    ...columnsOf(table).map(([name, column]) =>
      wrappedMarkdown(`\`${name}\` (${typeText(column)}): ${meaningText(column)}`, '- '),
    ),
  ].join('\n');
}

function listsMarkdown(): string {
  const lists = Object.entries(closedLists).map(([name, values]) =>
    wrappedMarkdown(`**${name}**: ${values.join(', ')}.`, '- '),
  );
  const excluded =
    `${[...excludedOutcomes].join(', ')} are evenkeel's limits, not the model's faults: such rows are excluded from ` +
    'every rate and counted separately.';
  return ['## Closed lists', '', ...lists, '', wrappedMarkdown(excluded)].join('\n');
}

const columnsOf = (table: Table): [string, Column][] => Object.entries(table.columns);

const typeText = ({ type, unit }: Column): string => (unit === undefined ? type : `${type}, ${unit}`);

function volatileText(volatile: Column['volatile']): string {
  if (volatile === undefined) return '';
  return volatile === true ? ' Volatile.' : ` Volatile: ${volatile}.`;
}

function meaningText({ meaning, nullWhen, volatile }: Column): string {
  const nulls = nullWhen === undefined ? '' : ` Null when ${nullWhen}.`;
  return `${meaning}${nulls}${volatileText(volatile)}`;
}
