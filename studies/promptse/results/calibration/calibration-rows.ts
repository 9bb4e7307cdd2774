/** Rows of tables `calibration` and `calibration_bins`: one model of a PromptSE study. */
import { calibrationMethod } from './calibration.ts';
import { type CalibrationGroup, calibrationGroups } from './calibration-groups.ts';
import { boundedMeanMethod } from '../../../../domain/statistics/intervals/bounded-mean.ts';
import { defaultLevel, type Interval } from '../../../../domain/statistics/intervals/interval.ts';
import type { SpecStudy } from '../../../../schemas/spec.ts';
import type { Row } from '../../../../schemas/tables.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { confidenceSums } from './confidence.ts';
import { confidenceCell } from './confidence-cells.ts';

type Settings = Extract<SpecStudy, { kind: 'promptse' }>['settings'];

export interface CalibrationTables {
  readonly calibration: readonly Row[];
  readonly calibration_bins: readonly Row[];
}

export interface CalibrationKey {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly benchmark: string;
  readonly language: string;
  readonly setting: string;
}

/** Empty for a model without log-probabilities. */
export async function calibrationTables(
  database: RunDatabase,
  key: CalibrationKey,
  settings: Settings,
  simulated: boolean,
): Promise<CalibrationTables> {
  const cells = (await confidenceSums(database, key, settings)).map(confidenceCell);
  const groups = calibrationGroups(key.model, cells);
  return {
    calibration: groups.map((group) => groupRow(key, group, settings, simulated)),
    calibration_bins: groups.flatMap((group) => binRows(key, group, settings, simulated)),
  };
}

type Estimate = { readonly value: number; readonly interval: Interval | null } | null;

const columns = (name: string, estimate: Estimate): Row => ({
  [name]: estimate?.value ?? null,
  [`${name}_lo`]: estimate?.interval?.lo ?? null,
  [`${name}_hi`]: estimate?.interval?.hi ?? null,
});

const groupRow = (key: CalibrationKey, group: CalibrationGroup, settings: Settings, simulated: boolean): Row => ({
  ...{ ...key, grouped_by: group.by, member: group.name },
  ...columns('ece', group.calibration),
  ...columns('overconfidence', group.overconfidence),
  ...columns('sure_failures', group.sureFailures),
  ...columns('unsure_successes', group.unsureSuccesses),
  ...columns('sure_failures_own', group.sureFailuresOwn),
  ...columns('unsure_successes_own', group.unsureSuccessesOwn),
  ...{ bins: settings.confidenceBins, sure_from: settings.highConfidence, unsure_to: settings.lowConfidence },
  confidence: defaultLevel,
  interval_method: `${boundedMeanMethod}; of ece ${calibrationMethod}`,
  ...{ n: group.calibration?.n ?? 0, n_tasks: group.tasks, simulated },
});

const binRows = (
  key: CalibrationKey,
  group: CalibrationGroup,
  { confidenceBins }: Settings,
  simulated: boolean,
): Row[] =>
  group.bins.map(({ bin, n, tasks, meanConfidence, passRate }) => ({
    ...{ ...key, grouped_by: group.by, member: group.name, bin },
    ...{ bin_from: bin / confidenceBins, bin_to: (bin + 1) / confidenceBins },
    ...columns('mean_confidence', meanConfidence),
    ...columns('pass_rate', passRate),
    ...{ confidence: defaultLevel, interval_method: boundedMeanMethod },
    ...{ n, n_tasks: tasks, simulated },
  }));
