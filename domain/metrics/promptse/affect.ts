/** RQ4: correctness, elasticity and calibration of one model by emotion, by quadrant of valence and arousal, and by distance. */
import { seedOf } from '../../random.ts';
import { type ClusterSum, ratioEstimate, type RatioEstimate } from '../../statistics/ratio-estimate.ts';
import { type CalibrationEstimate, calibrationEstimate, type TaskBin } from '../calibration.ts';

/** How the samples of one prompt did. */
export interface PromptOutcome {
  readonly task: string;
  /** Null for the original, and for imported variants that do not say. */
  readonly emotion: string | null;
  /** Null for an emotion on an axis, and without one. */
  readonly quadrant: string | null;
  /** 0 for the original. */
  readonly distance: number;
  readonly passRate: number;
  /** SoftExec; null without log-probabilities. */
  readonly soft: number | null;
}

/** What the variants of a task are compared with. */
export interface Baseline {
  readonly passRate: number;
  readonly soft: number | null;
  /** Of the full elasticity; null where the original was drawn once. */
  readonly floor: number | null;
}

/** Samples of one task, prompt group and bin of confidence. */
export interface ConfidenceCell extends TaskBin {
  readonly emotion: string | null;
  readonly quadrant: string | null;
  readonly distance: number;
  /** Failures with high confidence, successes with low confidence; by the study's bounds, and by the model's own quartiles. */
  readonly sureFailures: number;
  readonly unsureSuccesses: number;
  readonly sureFailuresOwn: number;
  readonly unsureSuccessesOwn: number;
}

export type GroupKind = 'original' | 'variants' | 'emotion' | 'quadrant' | 'distance';

export interface AffectGroup {
  readonly by: GroupKind;
  readonly name: string;
  /** Prompts. */
  readonly n: number;
  readonly passRate: RatioEstimate | null;
  /** Mean |pass rate - that of the task's original|; null for the original. */
  readonly meanAbsoluteDelta: RatioEstimate | null;
  /** 1 - mean |SoftExec - that of the task's original|; null for the original and without log-probabilities. */
  readonly elasticity: RatioEstimate | null;
  readonly floor: number | null;
  readonly excess: RatioEstimate | null;
  readonly calibration: CalibrationEstimate | null;
  /** Mean confidence minus the share of passed samples; above 0 is overconfident. Null without confidences. */
  readonly overconfidence: number | null;
  /** Shares of all samples of the group. */
  readonly sureFailures: number | null;
  readonly unsureSuccesses: number | null;
  readonly sureFailuresOwn: number | null;
  readonly unsureSuccessesOwn: number | null;
}

export interface AffectInput {
  readonly model: string;
  readonly prompts: readonly PromptOutcome[];
  readonly baselines: ReadonlyMap<string, Baseline>;
  readonly cells: readonly ConfidenceCell[];
}

type Place = Pick<PromptOutcome, 'emotion' | 'quadrant' | 'distance'>;

/** The original, all variants, then the distances, emotions and quadrants that occur. */
export function affectGroups(input: AffectInput): AffectGroup[] {
  const variants = input.prompts.filter(({ distance }) => distance > 0);
  const names = (of: (place: Place) => string | null): string[] =>
    [...new Set(variants.flatMap((prompt) => of(prompt) ?? []))].toSorted((a, b) => (a < b ? -1 : 1));
  const group = (by: GroupKind, name: string, belongs: (place: Place) => boolean): AffectGroup => groupRow(input, by, name, belongs);
  return [
    group('original', 'original', ({ distance }) => distance === 0),
    group('variants', 'all variants', ({ distance }) => distance > 0),
    ...names(({ distance }) => String(distance)).map((name) => group('distance', name, ({ distance }) => String(distance) === name)),
    ...names(({ emotion }) => emotion).map((name) => group('emotion', name, ({ emotion }) => emotion === name)),
    ...names(({ quadrant }) => quadrant).map((name) => group('quadrant', name, ({ quadrant }) => quadrant === name)),
  ];
}

function groupRow(
  { model, prompts, baselines, cells }: AffectInput,
  by: GroupKind,
  name: string,
  belongs: (place: Place) => boolean,
): AffectGroup {
  const own = prompts.filter(belongs);
  const samples = cells.filter(belongs);
  const options = { seed: seedOf('rq4', model, by, name) };
  const estimate = (value: (prompt: PromptOutcome) => number | null): RatioEstimate | null => ratioEstimate(byTask(own, value), options);
  const compared =
    by === 'original'
      ? () => null
      : (value: (prompt: PromptOutcome, base: Baseline) => number | null) => estimate(against(baselines, value));
  const elasticity = compared(elasticityOf);
  const excess = compared((prompt, base) => {
    const one = elasticityOf(prompt, base);
    return one === null || base.floor === null ? null : one - base.floor;
  });
  const counted = samples.reduce((sum, { n }) => sum + n, 0);
  const share = (of: (cell: ConfidenceCell) => number): number | null =>
    counted === 0 ? null : samples.reduce((sum, cell) => sum + of(cell), 0) / counted;
  return {
    by,
    name,
    n: own.length,
    passRate: estimate(({ passRate }) => passRate),
    meanAbsoluteDelta: compared(({ passRate }, base) => Math.abs(passRate - base.passRate)),
    elasticity,
    floor: elasticity === null || excess === null || excess.n !== elasticity.n ? null : elasticity.value - excess.value,
    excess: excess !== null && excess.n === elasticity?.n ? excess : null,
    calibration: calibrationEstimate(samples, options),
    overconfidence: share(({ confidence, passed }) => confidence - passed),
    sureFailures: share((cell) => cell.sureFailures),
    unsureSuccesses: share((cell) => cell.unsureSuccesses),
    sureFailuresOwn: share((cell) => cell.sureFailuresOwn),
    unsureSuccessesOwn: share((cell) => cell.unsureSuccessesOwn),
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
