/**
 * RQ4: correctness, elasticity and calibration of one model by emotion, by quadrant of valence
 * and arousal, and by distance.
 */
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import {
  type ClusterSum,
  ratioEstimate,
  type RatioEstimate,
} from '../../../../domain/statistics/intervals/ratio-estimate.ts';
import { differenceBounds, shareBounds } from '../../../../domain/metrics/score-intervals.ts';
import type { Calibration, ConfidenceCell } from '../calibration/calibration-groups.ts';
import type { CalibrationOfGroup } from '../calibration/stored-calibration.ts';
import { type GroupKind, type Place, type PlaceGroup, placeGroups } from './place-groups.ts';

/** Scores of one prompt's samples. */
export interface PromptOutcome extends Place {
  readonly task: string;
  readonly passRate: number;
  /** SoftExec; null without log-probabilities. */
  readonly soft: number | null;
}

/** The original's scores, with which a task's variants are compared. */
export interface Baseline {
  readonly passRate: number;
  readonly soft: number | null;
  /** Floor of PromptSE's elasticity; null if the original was drawn only once. */
  readonly floor: number | null;
}

export interface AffectGroup extends Calibration {
  readonly by: GroupKind;
  readonly name: string;
  /** Number of prompts. */
  readonly n: number;
  readonly passRate: RatioEstimate | null;
  /** Mean |pass rate - that of the task's original|; null for the original. */
  readonly meanAbsoluteDelta: RatioEstimate | null;
  /** 1 - mean |SoftExec - that of the task's original|; null for the original and without log-probabilities. */
  readonly elasticity: RatioEstimate | null;
  readonly floor: RatioEstimate | null;
  readonly excess: RatioEstimate | null;
}

export interface AffectInput {
  readonly model: string;
  readonly prompts: readonly PromptOutcome[];
  readonly baselines: ReadonlyMap<string, Baseline>;
  /** Empty if `calibrationOf` needs none. */
  readonly cells: readonly ConfidenceCell[];
  readonly calibrationOf: CalibrationOfGroup;
}

/** In the order of `placeGroups`. */
export const affectGroups = (input: AffectInput): AffectGroup[] =>
  placeGroups(input.prompts).map((group) => groupRow(input, group));

function groupRow(
  { model, prompts, baselines, cells, calibrationOf }: AffectInput,
  { by, name, belongs }: PlaceGroup,
): AffectGroup {
  const own = prompts.filter(belongs);
  const samples = cells.filter(belongs);
  const estimate = (bounds: Interval, value: (prompt: PromptOutcome) => number | null): RatioEstimate | null =>
    ratioEstimate(byTask(own, value), bounds);
  const compared =
    by === 'original'
      ? () => null
      : (bounds: Interval, value: (prompt: PromptOutcome, base: Baseline) => number | null) =>
          estimate(bounds, against(baselines, value));
  const elasticity = compared(shareBounds, elasticityOf);
  const floor = compared(shareBounds, (prompt, base) => (elasticityOf(prompt, base) === null ? null : base.floor));
  const excess = compared(differenceBounds, (prompt, base) => {
    const one = elasticityOf(prompt, base);
    return one === null || base.floor === null ? null : one - base.floor;
  });
  const whole = (one: RatioEstimate | null): RatioEstimate | null => (one?.n === elasticity?.n ? one : null);
  return {
    by,
    name,
    n: own.length,
    passRate: estimate(shareBounds, ({ passRate }) => passRate),
    meanAbsoluteDelta: compared(shareBounds, ({ passRate }, base) => Math.abs(passRate - base.passRate)),
    elasticity,
    floor: whole(floor),
    excess: whole(excess),
    ...calibrationOf([model, by, name], samples),
  };
}

const elasticityOf = ({ soft }: PromptOutcome, base: Baseline): number | null =>
  soft === null || base.soft === null ? null : 1 - Math.abs(soft - base.soft);

const against =
  (baselines: ReadonlyMap<string, Baseline>, value: (prompt: PromptOutcome, base: Baseline) => number | null) =>
  (prompt: PromptOutcome): number | null => {
    const base = baselines.get(prompt.task);
    return base === undefined ? null : value(prompt, base);
  };

function byTask(prompts: readonly PromptOutcome[], value: (prompt: PromptOutcome) => number | null): ClusterSum[] {
  const sums = new Map<string, { sum: number; n: number }>();
  for (const prompt of prompts) {
    const one = value(prompt);
    if (one === null) continue;
    const known = sums.get(prompt.task) ?? { sum: 0, n: 0 };
    sums.set(prompt.task, { sum: known.sum + one, n: known.n + 1 });
  }
  return [...sums.values()];
}
