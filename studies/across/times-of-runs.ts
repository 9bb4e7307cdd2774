/**
 * Times of programs are compared within one run only. What else a machine does in another run slows or speeds up all
 * programs of it alike: that says nothing of a model, and looks like evidence from every task.
 */
import { isTime, type GateMetricName } from '../../domain/gate/metrics.ts';
import { nameList } from '../../domain/name-list.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';

const reason = 'times of different runs also differ by what else the machine did';
const wayOut =
  'compare models of one run; `reuse: [RUNS]` in its spec takes over their answers, and their programs are timed ' +
  'again together';

/** Whether the values are times, and of machines at different moments. */
export const isTimedApart = (metric: GateMetricName, sides: readonly { readonly manifest: Manifest }[]): boolean =>
  isTime(metric) && new Set(sides.map(({ manifest }) => manifest)).size > 1;

/** @param metrics the times that are left out */
export const timeNotes = ({ name }: SpecStudy, metrics: readonly GateMetricName[]): string[] =>
  metrics.length === 0 ? [] : [`study ${name}: ${nameList(metrics)} left out, because ${reason}: ${wayOut}`];

/** Why a check of a gate has no results. */
export const timedApartText = `${reason}, so this check can neither pass nor fail: ${wayOut}`;
