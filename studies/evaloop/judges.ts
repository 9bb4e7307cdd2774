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
 * @param all the specs that are compared: a recording of a judge has no endpoint, and may not name its model
 */
export function judgedBy(settings: JudgeSetting, spec: JudgesSpec, all: readonly JudgesSpec[]): unknown {
  const { temperature } = judgePanel(settings);
  return [askedJudges(settings, spec, all), temperature];
}

/** The judges as they are asked; null without a judge. */
export function askedJudges(settings: JudgeSetting, spec: JudgesSpec, all: readonly JudgesSpec[]): string | null {
  const { models, temperature } = judgePanel(settings);
  const nameOf = (id: string): string => {
    const found = all.flatMap((one) => askedAs(id, one, temperature) ?? []);
    const own = askedAs(id, spec, temperature);
    if (own === null) return id;
    const live = found.filter(({ isRecorded }) => !isRecorded);
    const names = new Set(found.flatMap(({ name }) => name ?? []));
    // A recording has no endpoint; one that names no model is that of its id.
    const isOne = new Set(live.map(({ text }) => text)).size < 2 && names.size < 2;
    return live.length < found.length && isOne ? ([...names][0] ?? id) : own.text;
  };
  return models.length === 0 ? null : models.map(nameOf).toSorted().join(', ');
}

type JudgesSpec = Pick<Spec, 'models' | 'providers'>;

interface AskedJudge {
  /** A rescored run, too, has recordings in the place of all its models. */
  readonly isRecorded: boolean;
  /** The model's name with the parameters that are not a judge's own; null for a recording that has none. */
  readonly name: string | null;
  /** With what else may change a score: the endpoint. */
  readonly text: string;
}

/** Null if the spec has no model of the id. */
function askedAs(id: string, { models, providers }: JudgesSpec, temperature: number): AskedJudge | null {
  const model = models.find((one) => one.id === id);
  if (model === undefined) return null;
  const { parameters = {}, profile, provider } = model;
  const account = providers[provider];
  const isRecorded = provider === 'replay';
  const endpoint = account?.kind === 'openai' ? [`at ${new URL(account.baseUrl).href.replace(/\/+$/, '')}`] : [];
  const given: Readonly<Record<string, unknown>> = { ...judgeDecoding, temperature };
  const own = Object.entries(parameters).filter(([name, value]) => value !== (given[name] ?? null));
  const values = own.length === 0 ? [] : [`with ${canonicalJson(Object.fromEntries(own))}`];
  const simulated = profile === undefined ? [] : [`of profile ${canonicalJson(profile)}`];
  const name = [model.model ?? id, ...values, ...simulated].join(' ');
  return {
    isRecorded,
    name: isRecorded && model.model === undefined ? null : name,
    text: [name, ...endpoint, ...(isRecorded ? ['(recorded)'] : [])].join(' '),
  };
}
