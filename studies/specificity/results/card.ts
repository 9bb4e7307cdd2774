/** PartialOrderEval on a model's card: the least detail that suffices. */
import type { CardSource } from '../../../analysis/card/card-source.ts';
import { haveSameSettings } from '../../../analysis/gate/needed-settings.ts';
import { isSame, type Sides } from '../../../analysis/gate/compared.ts';
import { type CardMetric, type SaidEstimate, withoutParentheses } from '../../../domain/card/card-metric.ts';
import type { ModelMeasure } from '../../../domain/card/card-measure.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import { drawNumbers, isDrawn } from './answer-numbers.ts';
import { levelsOfSides } from './gate.ts';
import { commonTasks, leastDetail, type OpenCurve, openCurves, sufficientMethod, whyNoDetail } from './more-detail.ts';
import { type Curve, curveNames, curveOf, levelName, type LevelScores, originalsOf } from './scores.ts';

type SpecificityStudy = Extract<SpecStudy, { kind: 'specificity' }>;

const sufficient: CardMetric = {
  ...{ name: 'sufficient_detail', title: 'Least sufficient detail', trait: 'detail', direction: 'lower', unit: '' },
  meaning: 'The least detailed prompts from which the model passes as much as from the most detailed',
  text: String,
  says: detailText,
};

/**
 * Only the levels below the interval are shown to be insufficient. The least level of all has no detail: a model whose
 * interval begins there may need none, whatever the estimate.
 */
function detailText(said: SaidEstimate): string {
  const { interval, condition } = said;
  const { lo, hi } = interval ?? { lo: 0, hi: null };
  const needed = `(least sufficient level: ${withoutParentheses(said)})`;
  if (lo === 0)
    return `${hi === 0 ? 'needs none' : 'is not shown to need any'} of the detail of ${condition} ${needed}`;
  return `needs the detail of ${condition} up to level ${said.loText ?? lo}${lo === hi ? '' : ' at least'} ${needed}`;
}

/**
 * Of the first curve with a level between its ends and a maximal prompt: summaries, else paragraphs, else masks. Only
 * for the same `within` and, where a level has several prompts, the same number of them.
 */
export const detailCard: CardSource<SpecificityStudy> = {
  metrics: [sufficient],
  read: async (database, { sides, changed }) => {
    if (!isSame(sides, ({ settings }) => settings.within)) return [];
    const levels = await levelsOfSides(database, sides, changed);
    const alike = curveNames.filter((curve) => !isDrawn(curve) || haveSameSettings(sides, drawNumbers));
    return alike.flatMap((curve) => measureOf(sides, levels, curve) ?? []).slice(0, 1);
  },
};

/** Over the sides that have the curve's levels, and the tasks that all of these sides have answered at all of them. */
function measureOf(
  [{ study }]: Sides<SpecificityStudy>['sides'],
  levels: readonly (readonly LevelScores[])[],
  curve: Curve,
): ModelMeasure | null {
  const curves = levels.map((own) => curveOf(own, curve));
  const names = (curves.find((own) => own.length > 0) ?? []).map(levelName);
  if (names.at(-1) !== 'maximal' || names.length < 3) return null;
  const isWhole = curves.map((own) => own.map(levelName).join() === names.join());
  // Table `specificity_summary` has the tasks that count with the original prompt too.
  const counted = levels.map((own, side) => [...(curves[side] ?? []), ...originalsOf(own)]);
  const whole = curves.flatMap((_, side) => (isWhole[side] ? [side] : []));
  const found = openCurves(
    whole.map((side) => curves[side] ?? []),
    whole.map((side) => counted[side] ?? []),
  );
  return {
    ...{ metric: sufficient, condition: curve, method: sufficientMethod, names },
    estimates: (level) =>
      counted.map((own, side) => {
        const open = found.curves[whole.indexOf(side)];
        const least = open === undefined ? null : leastDetail(open, study.settings.within, level);
        return {
          ...{ value: least?.value ?? null, interval: least && { lo: least.lo, hi: least.hi } },
          ...{ tasks: open?.judged[0]?.length ?? 0, ownTasks: commonTasks(own.map(({ scores }) => scores)).length },
          reason: reasonOf(open, study.settings.within),
        };
      }),
  };
}

/** Null if the model has a level. */
const reasonOf = (open: OpenCurve | undefined, within: number): string | null =>
  open === undefined ? 'the model was not asked at every level' : whyNoDetail(open, within);
