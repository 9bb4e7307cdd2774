/** Models whose place by ASL nobody knows: too many of their loops were not judged or asked (decision 115). */
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import { openShare } from '../../../../domain/metrics/sides/extremes.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { records } from '../../../../analysis/records.ts';

export interface UnrankedModel {
  readonly model: string;
  /** Cells that could not be judged to their end. */
  readonly unjudged: number;
  readonly reason: string;
}

/** Cells of one model. */
interface JudgedCells {
  readonly unjudged: number;
  /** Of these, cells that were not asked further. */
  readonly unasked: number;
  readonly all: number;
}

/**
 * By model; without the tasks whose reference gives no output, on which no model can be judged.
 * @param where condition on the rows of table `loops`
 */
export async function judgedCells(database: RunDatabase, where: string): Promise<ReadonlyMap<string, JudgedCells>> {
  const rows = await records(
    database,
    `with own as (from loops where ${where}), known as (
       select distinct task_id from own
       where ended_by <> 'excluded' or ended_outcome is distinct from 'not_run' or sustained_loops > 0)
     select model, count_if(ended_by in ('excluded', 'not_asked'))::int as unjudged,
       count_if(ended_by = 'not_asked')::int as unasked, count(*)::int as cells
     from own semi join known using (task_id) group by all`,
  );
  return new Map(
    rows.map((row) => {
      const [unjudged, unasked] = [numberOf(row, 'unjudged'), numberOf(row, 'unasked')];
      return [textOf(row, 'model'), { unjudged, unasked, all: numberOf(row, 'cells') }];
    }),
  );
}

/** Those of which more than 1 % of the cells could not be judged or asked to their end, in the order given. */
export const unrankedModels = (
  models: readonly string[],
  cells: ReadonlyMap<string, JudgedCells>,
): readonly UnrankedModel[] =>
  models.flatMap((model) => {
    const { unjudged, unasked, all } = cells.get(model) ?? { unjudged: 0, unasked: 0, all: 0 };
    if (all === 0 || unjudged / all <= openShare) return [];
    const what = unasked === 0 ? 'could not be judged' : 'could not be judged, or were not asked to their end';
    const reason = `${unjudged} of ${all} cells ${what}, more than ${100 * openShare} %`;
    return [{ model, unjudged, reason }];
  });
