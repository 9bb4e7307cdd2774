/** The judges of an EVALOOP study: which models score each break, how often, and where their answers are kept. */
import { canonicalJson } from '../../domain/ids.ts';
import type { Spec } from '../../schemas/spec.ts';
import { judgeDecoding } from './prompts.ts';
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
 * may stand for another model in another run, at another endpoint or with other parameters.
 * @param all the specs that are compared: a recording of a judge is told by its id from one that all others ask alike
 */
export function judgedBy(settings: JudgeSetting, spec: JudgesSpec, all: readonly JudgesSpec[]): unknown {
  const { temperature } = judgePanel(settings);
  return [askedJudges(settings, spec, all), temperature];
}

/** The judges as they are asked, or their ids; null without a judge. */
export function askedJudges(settings: JudgeSetting, spec: JudgesSpec, all: readonly JudgesSpec[]): string | null {
  const { models, temperature } = judgePanel(settings);
  const nameOf = (id: string): string => {
    const live = all.filter(({ models }) => models.some((one) => one.id === id && one.provider !== 'replay'));
    const texts = new Set(live.map((one) => askedText(id, one, temperature)));
    if (all.some((one) => isRecorded(one, id)) && texts.size < 2) return id;
    return isRecorded(spec, id) ? id : askedText(id, spec, temperature);
  };
  return models.length === 0 ? null : models.map(nameOf).toSorted().join(', ');
}

type JudgesSpec = Pick<Spec, 'models' | 'providers'>;

/** A rescored run, too, has recordings in the place of all its models. */
const isRecorded = ({ models }: JudgesSpec, id: string): boolean =>
  models.some((model) => model.id === id && model.provider === 'replay');

/** The name, and what else may change a score: the endpoint, and parameters that are not a judge's own. */
function askedText(id: string, { models, providers }: JudgesSpec, temperature: number): string {
  const model = models.find((one) => one.id === id);
  if (model === undefined) return id;
  const { parameters = {}, profile, provider } = model;
  const account = providers[provider];
  const endpoint = account?.kind === 'openai' ? [`at ${new URL(account.baseUrl).href.replace(/\/+$/, '')}`] : [];
  const given: Readonly<Record<string, unknown>> = { ...judgeDecoding, temperature };
  const own = Object.entries(parameters).filter(([name, value]) => value !== (given[name] ?? null));
  const values = own.length === 0 ? [] : [`with ${canonicalJson(Object.fromEntries(own))}`];
  const simulated = profile === undefined ? [] : [`of profile ${canonicalJson(profile)}`];
  return [model.model ?? id, ...endpoint, ...values, ...simulated].join(' ');
}
