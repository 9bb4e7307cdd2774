/** Calibration of a complete run as its end stored it: its bootstraps take longer than all else of RQ4. */
import { numberOf, numberOrNull, textOf } from '../../../../domain/metrics/row-order.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { records } from '../../../../analysis/records.ts';
import { quoteText } from '../../../../analysis/views.ts';
import type { GroupKind } from '../affect/place-groups.ts';
import { type Calibration, calibrationOf, type ConfidenceCell } from './calibration-groups.ts';

/** @param cells the group's own, for a run whose calibration is not stored */
export type CalibrationOfGroup = (
  name: readonly [model: string, by: GroupKind, group: string],
  cells: readonly ConfidenceCell[],
) => Calibration;

/** Null if a run is not complete, or if the program that completed it stored no calibration. */
export async function storedCalibration(
  database: RunDatabase,
  { runId, state, parts }: Pick<Manifest, 'runId' | 'state' | 'parts'>,
  study: string,
): Promise<CalibrationOfGroup | null> {
  if (state !== 'complete' || !parts.some(({ table }) => table === 'calibration')) return null;
  const rows = await records(
    database,
    `FROM calibration WHERE run = ${quoteText(runId)} AND study = ${quoteText(study)}`,
  );
  const byName = new Map(
    rows.map((row) => [nameOf(textOf(row, 'model'), textOf(row, 'grouped_by'), textOf(row, 'member')), row]),
  );
  // A group without samples that count has no row.
  return (name) => {
    const row = byName.get(nameOf(...name));
    return row === undefined ? calibrationOf([], name) : calibrationOfRow(row);
  };
}

const nameOf = (...parts: readonly [model: string, by: string, group: string]): string => JSON.stringify(parts);

const calibrationOfRow = (row: Row): Calibration => ({
  calibration: estimateIn(row, 'ece'),
  overconfidence: estimateIn(row, 'overconfidence'),
  sureFailures: estimateIn(row, 'sure_failures'),
  unsureSuccesses: estimateIn(row, 'unsure_successes'),
  sureFailuresOwn: estimateIn(row, 'sure_failures_own'),
  unsureSuccessesOwn: estimateIn(row, 'unsure_successes_own'),
});

function estimateIn(row: Row, column: string): { value: number; interval: Interval | null; n: number } | null {
  const value = numberOrNull(row, column);
  if (value === null) return null;
  const [lo, hi] = [numberOrNull(row, `${column}_lo`), numberOrNull(row, `${column}_hi`)];
  return { value, interval: lo === null || hi === null ? null : { lo, hi }, n: numberOf(row, 'n') };
}
