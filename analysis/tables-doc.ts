/** The tables of a run in words, for `query` without SQL and for docs/tables.md. Made from the schema, so that it cannot drift. */
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
import { knownHint } from '../domain/spec/faults.ts';
import { type Column, type Table, tables } from '../schemas/tables.ts';

const closedLists = {
  reply_status: replyStatuses,
  outcome: outcomes,
  step: stepNames,
  ended_by: loopEndings,
  'status of a call': callStatuses,
  cost_basis: costBases,
  tier: sandboxTiers,
};

const all: readonly Table[] = Object.values(tables);

/** For a terminal: one line per table, its name and what it holds. */
export function tableIndex(): { readonly name: string; readonly meaning: string }[] {
  return all.map(({ name, meaning }) => ({ name, meaning: firstSentence(meaning) }));
}

/** Of a line's length: cut at the last word that fits. */
function firstSentence(text: string): string {
  const [sentence = text] = text.split(/[.;](?=\s|$)/);
  return sentence.length <= lineLength ? sentence : `${sentence.slice(0, sentence.lastIndexOf(' ', lineLength - 1))} …`;
}
const lineLength = 100;

/** One table for a terminal: a line per column. Throws `InputError` for a name that no table has. */
export function tableText(name: string): string {
  const table = all.find((one) => one.name === name);
  if (table === undefined) throw new InputError(`no table "${name}"; ${knownHint(name, Object.keys(tables))}`, { field: '--tables' });
  return [
    `${table.name}: ${table.meaning}`,
    `  key: ${table.key.join(', ')}`,
    ...columnsOf(table).map(([column, about]) => `  ${column} (${typeText(about)}): ${meaningText(about)}`),
  ].join('\n');
}

/** The whole of docs/tables.md. */
export function tablesMarkdown(): string {
  return `${[intro, ...all.map(tableMarkdown), listsMarkdown()].join('\n\n')}\n`;
}

const intro = `# Tables

Made from \`schemas/tables.ts\`; do not edit. Every table is a set of Parquet parts that \`manifest.json\` lists; \`evenkeel query\` shows each as one view, and
\`evenkeel query ID --shell-sql\` prints the statements that make the same views in any DuckDB; a finished run's folder has them in \`views.sql\`, for a DuckDB that is
started there. A table's folder has each row once: older parts lie in \`superseded/\`. Columns are only ever added; one that
an older program did not write is null in its rows. \`simulated\` stands in every table that names a model: never take such rows for evidence about a real one.

A **volatile** column (times, latencies, attempts) may differ between two equal runs; all others are stable. A column that says nothing about null is never null.
\`prompts\` and \`executions\` are stored once per page that used them; the views show each once.

The parts are Parquet 1.0 with UTC timestamps in milliseconds and lists; pandas 3.1.1 (pyarrow 26.0.1), polars 2.1.0, R 4.2.2 (nanoparquet 0.5.1) and DuckDB 1.5 read all
tables of a run with the same rows, nulls and types (tried by hand, November 2026). \`study=\` and \`model=\` in a path are for people: the columns of these names inside the files
count, and paths hold shortened names. Say so to a reader that would take them from the path: \`pandas.read_parquet(folder, partitioning=None)\`,
\`polars.read_parquet(folder, hive_partitioning=False)\`.`;

const volatileRowsText = ({ volatileRows }: Table): string =>
  volatileRows === undefined ? '' : ` Volatile rows: those with ${volatileRows.where}, since ${volatileRows.why}.`;

function tableMarkdown(table: Table): string {
  const rows = columnsOf(table).map(([name, column]) => `| \`${name}\` | ${typeText(column)} | ${escapePipes(meaningText(column))} |`);
  return [
    `## ${table.name}`,
    '',
    table.meaning,
    '',
    `Key: ${table.key.map((name) => `\`${name}\``).join(', ')}. Schema version ${table.schemaVersion}.${volatileRowsText(table)}`,
    '',
    '| column | type | meaning |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

function listsMarkdown(): string {
  const lists = Object.entries(closedLists).map(([name, values]) => `- **${name}**: ${values.join(', ')}.`);
  const excluded = `${[...excludedOutcomes].join(', ')} are limits of ours: such rows are left out of every rate and counted apart.`;
  return ['## Closed lists', '', ...lists, '', excluded].join('\n');
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

const escapePipes = (text: string): string => text.replaceAll('|', '\\|');
