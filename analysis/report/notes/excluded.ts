/** Verdicts that a limit of evenkeel left undecided, by model. */
import { excludedList } from '../../excluded-list.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { RunDatabase } from '../../database.ts';
import { records } from '../../records.ts';

export interface ExcludedVerdicts {
  readonly run: string;
  readonly model: string;
  readonly count: number;
  /** All verdicts on the model. */
  readonly of: number;
}

/** Models without any are omitted. */
export async function excludedVerdicts(database: RunDatabase): Promise<ExcludedVerdicts[]> {
  const rows = await records(database, sql);
  return rows.map((row) => ({
    ...{ run: textOf(row, 'run'), model: textOf(row, 'model') },
    ...{ count: numberOf(row, 'excluded'), of: numberOf(row, 'verdicts') },
  }));
}

const sql = `
  SELECT run, model, count_if(outcome IN (${excludedList}))::INT AS excluded,
    count(*)::INT AS verdicts
  FROM verdicts GROUP BY ALL HAVING excluded > 0 ORDER BY ALL`;
