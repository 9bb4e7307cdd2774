/** Chooses the cells whose prompts, replies and code a report holds: flips first, then the others by a draw. */
import { numberOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../database.ts';
import { clearHeap } from '../../rows/heap-garbage.ts';
import { records } from '../../records.ts';
import { anyFlip, cellOfIdSql, flipsSql, namedSql, ofTask } from './cells-sql.ts';

export interface ChosenCells {
  /** In the order drawn, with the columns of `namedSql`. */
  readonly cells: readonly Row[];
  /** Number of cells that they were drawn from. */
  readonly of: number;
  /** Of these, cells that flip. */
  readonly flips: number;
}

/**
 * Flips that fail come first, each followed by a cell that passes (those between runs before the others), then all
 * other flips, then the rest. Within each of these, every study, model and result gives its first cell before any
 * gives its second; among equals, the hash of seed and key decides. So the first n are spread over models and results
 * for every n.
 */
export async function chooseCells(database: RunDatabase, most: number): Promise<ChosenCells> {
  clearHeap();
  const cells = await records(
    database,
    `WITH ${flipsSql(seedsOf(database))},
    tiers AS (
      SELECT cell, partner, source, result, lot, CASE WHEN NOT ${anyFlip} THEN 3
        WHEN passes AND NOT (by_loop OR by_answer) THEN 2 WHEN by_run THEN 0 ELSE 1 END AS tier
      FROM flips
    ),
    turns AS (
      SELECT *, row_number() OVER (PARTITION BY source, result, tier ORDER BY lot) AS turn FROM tiers
    ),
    seats AS (
      SELECT cell, tier, turn, lot, 0 AS side FROM turns
      UNION ALL SELECT partner, tier, turn, lot, 1 FROM turns WHERE tier <= 1 AND partner IS NOT NULL
    ),
    places AS (
      SELECT cell, min(place) AS place
      FROM (SELECT cell, row_number() OVER (ORDER BY tier, turn, lot, side) AS place FROM seats)
      GROUP BY cell ORDER BY place LIMIT ${most}
    ),
    chosen AS (FROM flips JOIN places USING (cell)),
    counts AS (SELECT count(*) AS cells, count(*) FILTER (${anyFlip}) AS flips FROM flips)
    SELECT * FROM (${namedSql('chosen')}), counts ORDER BY place`,
  );
  const [first] = cells;
  return first === undefined
    ? { cells: [], of: 0, flips: 0 }
    : { cells, of: numberOf(first, 'cells'), flips: numberOf(first, 'flips') };
}

/** The cell with this id, and all others of its task; null if no run has it. */
export async function findCell(database: RunDatabase, id: string): Promise<{ cell: Row; others: Row[] } | null> {
  const [found] = await records(database, cellOfIdSql(id));
  if (found === undefined) return null;
  const sql = `WITH ${flipsSql(seedsOf(database), ofTask(found))} FROM (${namedSql('flips')}) ORDER BY lot`;
  const cells = await records(database, sql);
  const cell = cells.find((one) => one['id'] === id);
  return cell === undefined ? null : { cell, others: cells.filter((one) => one !== cell) };
}

const seedsOf = ({ manifests }: RunDatabase): Map<string, number> =>
  new Map(manifests.map(({ runId, spec }) => [runId, spec.seed]));
