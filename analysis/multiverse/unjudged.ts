/** Whether a study has programs that were stopped, or answers that were not judged. */
import { excludedOutcomes, excludedReplies, stoppedOutcomes } from '../../schemas/states.ts';
import { cellKeyNames } from '../../schemas/tables/keys.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';
import { quoteText } from '../views.ts';

export interface Unjudged {
  /** A program was stopped by a limit of time, memory or output. */
  readonly stopped: boolean;
  /** A program, or a reply, is excluded because of evenkeel's limits. */
  readonly excluded: boolean;
}

const listed = (names: ReadonlySet<string>): string => [...names].map(quoteText).join(', ');

/** In any run of the database. Questions that a rescored run never asked are neither. */
export async function unjudgedIn(database: RunDatabase, study: string): Promise<Unjudged> {
  const place = [...cellKeyNames, 'loop', 'step', 'sample'].join(', ');
  const [row] = await records(
    database,
    `WITH asked AS (SELECT * FROM samples WHERE study = ${quoteText(study)} AND reply_status <> 'not_asked'),
    judged AS (SELECT outcome FROM verdicts SEMI JOIN asked USING (${place}))
    SELECT (SELECT count(*) FROM judged WHERE outcome IN (${listed(stoppedOutcomes)})) AS stopped,
      (SELECT count(*) FROM judged WHERE outcome IN (${listed(excludedOutcomes)})) +
      (SELECT count(*) FROM asked WHERE reply_status IN (${listed(excludedReplies)})) AS excluded`,
  );
  return { stopped: Number(row?.['stopped'] ?? 0) > 0, excluded: Number(row?.['excluded'] ?? 0) > 0 };
}
