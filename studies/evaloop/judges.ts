/** The judges of an EVALOOP study: which models score each break, how often, and where their answers are kept. */
import type { Spec } from '../../schemas/spec.ts';
import type { EvaloopStudy } from './settings.ts';

/** Every judge scores every break `repeats` times. No models: nothing is judged. */
export interface JudgePanel {
  readonly models: readonly string[];
  readonly repeats: number;
  readonly temperature: number;
}

/** One judge's score of a break. */
export interface Judgement {
  readonly model: string;
  /** From 0. */
  readonly repeat: number;
}

type JudgeSetting = Pick<EvaloopStudy['settings'], 'judge'>;

const nobody: JudgePanel = { models: [], repeats: 0, temperature: 0 };

/** A single name is a panel of one judge that is asked once, at temperature 0. */
export function judgePanel({ judge }: JudgeSetting): JudgePanel {
  if (judge === 'none') return nobody;
  return typeof judge === 'string' ? { models: [judge], repeats: 1, temperature: 0 } : judge;
}

export const hasJudge = ({ judge }: JudgeSetting): boolean => judge !== 'none';

/** The judgements of each break, judge by judge. The place in this list is the `sample` of the judge's answer. */
export const judgementsOf = ({ models, repeats }: JudgePanel): Judgement[] =>
  models.flatMap((model) => Array.from({ length: repeats }, (_, repeat) => ({ model, repeat })));

/** The judges' ids as tables show them; null without a judge. */
export const judgeNames = ({ models }: JudgePanel): string | null => (models.length === 0 ? null : models.join(', '));

/**
 * Equal for studies whose scores may be compared: repeats change the noise of a score, but not what it estimates. An id
 * may stand for another model in another run. @param models of the study's spec
 */
export function judgedBy(settings: JudgeSetting, models: Spec['models']): unknown {
  const { models: judges, temperature } = judgePanel(settings);
  return [judges.map((id) => [id, askedModel(id, models)]).toSorted(byText), temperature];
}

/** The judges' ids, each with the model that it asks where this has another name; null without a judge. */
export function askedJudges(settings: JudgeSetting, models: Spec['models']): string | null {
  const judges = judgePanel(settings).models.toSorted();
  const nameOf = (id: string): string => {
    const asked = askedModel(id, models);
    return asked === id ? id : `${id} (${asked})`;
  };
  return judges.length === 0 ? null : judges.map(nameOf).join(', ');
}

const askedModel = (id: string, models: Spec['models']): string => models.find((model) => model.id === id)?.model ?? id;

const byText = (a: readonly string[], b: readonly string[]): number => (a.join() < b.join() ? -1 : 1);
