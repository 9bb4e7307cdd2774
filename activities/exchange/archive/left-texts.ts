/** Which texts of a table an archive leaves out, as SQL conditions. */
import { type ArchivePart, leftOutText } from '../../../schemas/archive.ts';
import { type Table, tables } from '../../../schemas/tables.ts';
import type { LeftDataSet } from './left-data-sets.ts';

export interface Left {
  readonly parts: ReadonlySet<ArchivePart>;
  readonly dataSets: readonly LeftDataSet[];
}

export const isWhole = ({ parts, dataSets }: Left): boolean => parts.size === 0 && dataSets.length === 0;

/**
 * By column, the condition under which its text is left out. Views `samples` and `verdicts` of the run must exist.
 * Empty if the table stays as it is.
 */
export function leftColumns(name: string, left: Left): ReadonlyMap<string, string> {
  const table = (tables as Readonly<Record<string, Table>>)[name];
  const found = Object.entries(table?.columns ?? {}).flatMap(([column, { holds = [] }]) => {
    const conditions = holds.flatMap((part) => conditionOf(part, name, table as Table, left));
    return conditions.length === 0 ? [] : [[column, conditions.join(' OR ')] as const];
  });
  return new Map(found);
}

function conditionOf(part: ArchivePart, name: string, table: Table, left: Left): string[] {
  if (part === 'data-sets') return dataSetConditions(name, table, left.dataSets);
  if (!left.parts.has(part)) return [];
  // Later prompts quote earlier answers, so only first questions may stay without the replies.
  if (name === 'prompts' && part === 'replies') return [`NOT (${firstQuestions})`];
  return ['true'];
}

const firstQuestions =
  'prompt_sha256 IN (SELECT prompt_sha256 FROM samples WHERE parent_step IS NULL) AND prompt_sha256 NOT IN ' +
  '(SELECT prompt_sha256 FROM samples WHERE parent_step IS NOT NULL)';

/** The suites that were joined are in no prompt, only in what is known of the tests. */
function dataSetConditions(name: string, { columns }: Table, dataSets: readonly LeftDataSet[]): string[] {
  if ('execution_id' in columns) return dataSets.map(ofTests);
  const whole = dataSets.filter(({ suites }) => suites === null).map(({ benchmark }) => quoted(benchmark));
  if (whole.length === 0) return [];
  if ('benchmark' in columns) return [`benchmark IN (${whole.join(', ')})`];
  if (name !== 'prompts') return ['true'];
  return [`prompt_sha256 NOT IN (SELECT prompt_sha256 FROM samples WHERE benchmark NOT IN (${whole.join(', ')}))`];
}

function ofTests({ benchmark, suites }: LeftDataSet): string {
  const ofSuites = suites === null ? '' : ` AND suite IN (${suites.map(quoted).join(', ')})`;
  return `execution_id IN (SELECT execution_id FROM verdicts WHERE benchmark = ${quoted(benchmark)}${ofSuites})`;
}

/** What stands in place of a text; messages stay JSON. */
export const replacementOf = (column: string): string =>
  quoted(column === 'messages' ? JSON.stringify([{ role: 'user', content: leftOutText }]) : leftOutText);

export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
