/** What other studies say of the models that lead in the one that a page shows. */
import { ofOthers, subjectName } from '../../domain/card/sentence.ts';
import { numberOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { isOfMain, type MainMetric, modelKey } from './main-entries.ts';

/** Longer lists end with a count. */
const mostSaid = 3;

/** The rows of `models` that have a rank in the comparison that is shown, in that order. */
export const rankedRows = (main: MainMetric, models: readonly Row[]): Row[] =>
  models.flatMap((model) => {
    const row = main.rows.get(modelKey(model));
    return row === undefined || row['rank'] === null || !isOfMain(main, row) ? [] : [row];
  });

/** That a model which leads is shown to be behind others in another study; empty if there is none. */
export function otherwiseText(
  mains: readonly MainMetric[],
  models: readonly Row[],
  nameOf: (row: Row) => string,
): string {
  const said = mains.flatMap((main) => {
    const leaders = new Set(rankedRows(main, models).filter(leads).map(modelKey));
    return [...main.elsewhere].flatMap(([study, rows]) =>
      rows
        .filter((row) => leaders.has(modelKey(row)) && isBehind(row))
        .map((row) => `in study ${study} ${nameOf(row)} ${behindText(row)} in ${subjectName(main.metric, null, null)}`),
    );
  });
  if (said.length === 0) return '';
  const more = said.length - mostSaid;
  const rest = more > 0 ? [`${more} more such results are in table cards`] : [];
  return ` But ${[...said.slice(0, mostSaid), ...rest].join('; ')}.`;
}

const behindText = (row: Row): string =>
  `is shown to be behind ${ofOthers(numberOf(row, 'n_better'), numberOf(row, 'n_models') - 1)}`;

const isBehind = (row: Row): boolean => row['rank'] !== null && numberOf(row, 'n_better') > 0;
const leads = (row: Row): boolean => numberOf(row, 'n_better') === 0 && numberOf(row, 'n_worse') > 0;
