/** Words for tables of a run that are missing, because their computation failed. */
import { nameList } from '../name-list.ts';

/** As a run's manifest lists them. */
export interface MissingGroup {
  readonly tables: readonly string[];
  readonly studies: readonly string[];
  readonly reason: string;
}

/** What is missing, each with its reason; null for a run that has all its tables. */
export const missingTablesText = (missing: readonly MissingGroup[] = []): string | null =>
  missing.length === 0
    ? null
    : missing.map(({ tables, studies, reason }) => `${whatOf(tables, studies)} (${reason})`).join('; ');

function whatOf(tables: readonly string[], studies: readonly string[]): string {
  if (studies.length === 0) return nameList(tables);
  return `${nameList(tables)} of ${studies.length === 1 ? 'study' : 'studies'} ${nameList(studies)}`;
}

/** For readers of a run's results: a line for each run that lacks tables. */
export const missingTablesLines = (
  runs: readonly { readonly runId: string; readonly missingTables?: readonly MissingGroup[] | undefined }[],
): string[] =>
  runs.flatMap(({ runId, missingTables }) => {
    const text = missingTablesText(missingTables);
    return text === null ? [] : [`run ${runId}: tables are missing, since they could not be computed: ${text}`];
  });

/** For `verify`: a problem for each group, with all its names. */
export const missingTablesProblems = (runId: string, missing: readonly MissingGroup[] = []): string[] =>
  missing.map(
    ({ tables, studies, reason }) =>
      `tables missing, since their computation failed: ${tables.join(', ')}` +
      `${studies.length === 0 ? '' : ` of ${studies.join(', ')}`} (${reason}); answers and scores are there, and ` +
      `"evenkeel resume ${runId}" derives these tables again`,
  );
