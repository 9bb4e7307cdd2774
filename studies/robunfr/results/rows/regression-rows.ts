/**
 * Rows of table `regression`: two versions of a model on the same tasks and phrasings, by condition and metric.
 */
import type { Row } from '../../../../schemas/tables.ts';
import {
  type ComparedCells,
  comparedCells,
  type Margins,
  type VersionPair,
} from '../../../../domain/metrics/versions/compared-cells.ts';
import { endColumns, stdevMethod } from './summary-rows.ts';
import type { Measure } from '../../../../domain/metrics/nfr-solutions.ts';
import { solutionMetrics } from '../../../../domain/metrics/solution-metrics.ts';
import { compareVersions } from '../../../../domain/metrics/versions/version-comparison.ts';

interface RegressionKey {
  readonly run: string;
  readonly study: string;
  readonly old_model: string;
  readonly model: string;
  readonly benchmark: string;
  readonly language: string;
}

interface RegressionSettings {
  readonly seed: number;
  readonly alpha: number;
  readonly margins: Margins;
  readonly missing: (measure: Measure) => string;
  /** Measures that are compared; default: all. */
  readonly isWanted?: (measure: Measure) => boolean;
}

/** All comparisons of one pair, which form one family of tests. */
export function regressionRows(
  key: RegressionKey,
  pair: VersionPair,
  { seed, alpha, margins, missing, isWanted = () => true }: RegressionSettings,
): Row[] {
  const cells = comparedCells(pair, margins).filter(({ measure }) => isWanted(measure));
  return compareVersions(cells, { seed, alpha }).map((found, index) => {
    const { setting, dimension, measure, margin, simulated } = cells[index] as ComparedCells;
    return {
      ...key,
      setting,
      dimension,
      metric: measure.metric,
      suite: measure.suite,
      ...endColumns('old_mean', found.old.mean, found.old.meanInterval),
      ...endColumns('old_stdev', found.old.stdev, found.old.stdevInterval),
      ...endColumns('new_mean', found.now.mean, found.now.meanInterval),
      ...endColumns('new_stdev', found.now.stdev, found.now.stdevInterval),
      ...endColumns('difference', found.difference, found.interval),
      ...endColumns('delta_percent', found.deltaPercent, found.deltaInterval),
      ratio: found.ratio?.ratio ?? null,
      ratio_lo: found.ratio?.interval.lo ?? null,
      ratio_hi: found.ratio?.interval.hi ?? null,
      n_ratio: found.ratio?.n ?? null,
      level: 1 - alpha,
      confidence: 1 - alpha,
      interval_method: `${found.intervalMethod}; ${stdevMethod}`,
      method: found.method,
      p: found.p,
      welch_p: found.welch?.p ?? null,
      welch_lo: found.welch?.interval.lo ?? null,
      welch_hi: found.welch?.interval.hi ?? null,
      p_adjusted: found.pAdjusted,
      smallest_effect: found.smallestEffect,
      margin,
      verdict: found.verdict,
      n: found.n,
      n_excluded: found.nExcluded,
      reason: found.difference === null ? (unlikeTimes(pair, measure) ?? missing(measure)) : null,
      simulated,
    };
  });
}

/** Why both versions have times, and yet none are compared; null if not both have times. */
function unlikeTimes({ old, now }: VersionPair, { metric }: Measure): string | null {
  const isTimed = [old, now].every((side) => side.some(({ timing }) => timing !== null));
  if (solutionMetrics[metric].unit !== 'ms' || !isTimed) return null;
  return 'of no task both versions were timed with a yardstick, or both without one (by an older program)';
}
