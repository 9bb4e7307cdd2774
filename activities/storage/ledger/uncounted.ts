/** What the running counts of a ledger hold and `progress` takes out, by the facts that note it. */
import type { Progress } from './ledger-counts.ts';
import type { SampleKey } from './records.ts';

/** Names of the facts that count questions which the recorded run never asked, as `NotedQuestion`. */
export const notAskedPrefix = 'not asked/';

interface NotedQuestion {
  readonly study: string;
  readonly model: string;
  /** Cells with the same question share it. */
  readonly callKey: string;
}

export const notAskedFact = ({ page, cell, step, loop, ask, sample }: SampleKey): string =>
  `${notAskedPrefix}${page}/${cell}/${step}/${loop}/${ask}/${sample}`;

/** @param facts those under `notAskedPrefix`: none but in a run that was judged again */
export function withoutNotAsked(
  answered: number,
  lanes: Progress['lanes'],
  facts: readonly string[],
): Pick<Progress, 'answered' | 'lanes' | 'notAsked'> {
  if (facts.length === 0) return { answered, lanes };
  const noted = facts.map((json) => JSON.parse(json) as NotedQuestion);
  const notAsked = new Set(noted.map(({ callKey }) => callKey)).size;
  const byLane = Map.groupBy(noted, ({ study, model }) => JSON.stringify([study, model]));
  const placesIn = (study: string, model: string): number => byLane.get(JSON.stringify([study, model]))?.length ?? 0;
  return {
    answered: answered - notAsked,
    lanes: lanes.map((lane) => ({ ...lane, answered: lane.answered - placesIn(lane.study, lane.model) })),
    notAsked,
  };
}

/** Names of the facts that count failed calls which are not sent again, as `{ reason }`. */
export const finalFailuresPrefix = 'final failure/';

/** @param facts those under `finalFailuresPrefix` */
export function finalFailures(facts: readonly string[]): Pick<Progress, 'finalFailures'> {
  if (facts.length === 0) return {};
  const reasons = Map.groupBy(facts, (json) => (JSON.parse(json) as { reason: string }).reason);
  return { finalFailures: Object.fromEntries([...reasons].map(([reason, some]) => [reason, some.length])) };
}
