/** What a check that stays open would need. */
import type { GateCheck } from './evaluate.ts';
import { gateMetric } from './metrics.ts';

/** Null where the check is decided, or nothing is known of its tasks. */
export function adviceOf({ outcome, subject, tasks, margin }: GateCheck): string | null {
  if (outcome !== 'inconclusive' || tasks === undefined || tasks.decidable === null) return null;
  const { n, needed, decidable } = tasks;
  const { unit } = gateMetric(subject.metric);
  const within = `${n} ${n === 1 ? 'task' : 'tasks'} can decide a margin of ${rounded(decidable)} ${unit}`;
  if (needed === null) return `no number of tasks can show that ${margin === 0 ? 'nothing at all' : 'so little'} is lost; ${within}`;
  if (needed <= n) return `${n} tasks decide it in 80 % of cases where nothing is lost; these do not`;
  return `about ${needed} tasks would decide it (in 80 % of cases where nothing is lost); ${within}`;
}

/** Upwards, to two digits: a promise. */
function rounded(value: number): string {
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  return String(Number((Math.ceil(value / step) * step).toPrecision(2)));
}
