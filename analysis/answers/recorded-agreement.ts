/** The view `recorded_agreement`: verdicts here beside those of the tool that answers were imported from. */
import { excludedList } from '../excluded-list.ts';
import { cellKeyNames } from '../../schemas/tables/keys.ts';
import { recordedAgreement } from '../../schemas/tables/recorded.ts';
import type { View } from '../view.ts';

const answer = [...cellKeyNames, 'loop', 'step', 'sample'].join(', ');
const keys = recordedAgreement.key.join(', ');

/** Null: excluded. All suites: a real failure counts even if evenkeel's limits exclude another suite. */
const here = `
  SELECT ${answer}, suite, CASE WHEN outcome NOT IN (${excludedList}) THEN outcome = 'pass' END AS here FROM verdicts
  UNION ALL
  SELECT ${answer}, 'all suites', CASE
    WHEN bool_or(outcome <> 'pass' AND outcome NOT IN (${excludedList})) THEN false
    WHEN bool_and(outcome = 'pass') THEN true END
  FROM verdicts GROUP BY ALL`;

export const recordedAgreementView: View = {
  table: recordedAgreement,
  sql: () => `
WITH own AS (${here}), paired AS (
  SELECT r.*, own.here FROM recorded_verdicts r LEFT JOIN own USING (${answer}, suite))
SELECT ${keys}, bool_or(simulated) AS simulated, count(here) AS n, count(*) - count(here) AS n_unjudged,
  count(*) FILTER (here = passed) AS n_same, count(*) FILTER (here AND passed) AS n_both_pass,
  count(*) FILTER (passed AND NOT here) AS n_only_recorded, count(*) FILTER (here AND NOT passed) AS n_only_here,
  n_same / nullif(n, 0) AS agreement
FROM paired GROUP BY ${keys}`,
};
