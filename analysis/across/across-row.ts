/** A model in two runs, as a row for other programs. */
import { placeOf } from '../compare/rows.ts';
import type { Row } from '../../schemas/tables.ts';
import type { ModelAcross } from './across-runs.ts';

export function acrossRow({ old, now, model, comparison, pHolm }: ModelAcross): Row {
  const { standings, pairs, taskIds, options } = comparison;
  const [after, before] = [0, 1].map((side) => standings.find((standing) => standing.model === side));
  const [pair] = pairs;
  return {
    ...{ old_run: old, run: now, model, ...placeOf(comparison) },
    ...{ old_value: before?.value ?? null, value: after?.value ?? null },
    ...{ old_value_lo: before?.interval.lo ?? null, old_value_hi: before?.interval.hi ?? null },
    ...{ value_lo: after?.interval.lo ?? null, value_hi: after?.interval.hi ?? null },
    ...{ difference: pair?.difference ?? null, difference_lo: pair?.interval.lo ?? null },
    ...{ difference_hi: pair?.interval.hi ?? null, p: pair?.p ?? null, p_holm: pHolm },
    ...{ better: pair?.better ?? null, worse: pair?.worse ?? null },
    ...{ n_tasks: taskIds.length, n_judged: pair?.judgedTasks ?? null, confidence: 1 - options.alpha },
  };
}
