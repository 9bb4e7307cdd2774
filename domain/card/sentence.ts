/** One sentence about a model that says only what the intervals of its card allow. */
import { type CardMetric, type CardTrait, ofPrompts, onSuite, type SaidEstimate } from './card-metric.ts';

export interface SentencePart {
  readonly metric: CardMetric;
  readonly said: SaidEstimate;
  /** Its place among the models; null if it has none. */
  readonly place: SentencePlace | null;
  /** Where the estimate is from, if several studies have the metric. */
  readonly study?: string | null;
  /** How many of its tasks repeat another one, in brackets after it. Default: not said. */
  readonly repeats?: string;
}

export interface SentencePlace {
  /** Models that are shown to be better, and those shown to be worse. */
  readonly better: number;
  readonly worse: number;
  /** Ranked models. */
  readonly models: number;
  /** Other suites of its study on which models are shown to be better than it. Default: none. */
  readonly behindOn?: readonly BehindOn[];
}

export interface BehindOn {
  readonly suite: string;
  /** Models that are shown to be better there, and the ranked ones. */
  readonly better: number;
  readonly models: number;
}

/**
 * Every number has its interval, and a place among the others is only claimed where a test shows it: "ahead" and
 * "behind" count models that differ in the family of all pairs. All else is "not told apart".
 */
export function cardSentence(name: string, simulated: boolean, parts: readonly SentencePart[]): string {
  const subject = simulated ? `${name} (simulated)` : name;
  if (parts.length === 0) return `Nothing can be said about ${subject}.`;
  const clauses = parts.map(
    ({ metric, said, place, study = null, repeats = '' }) =>
      `${metric.says(said)}${inStudy(study)}${repeats}${placeText(place)}`,
  );
  return `${subject} ${[...clauses, ...alikeClauses(parts)].join('; ')}.`;
}

function placeText(place: SentencePlace | null): string {
  if (place === null) return '';
  const { better, worse, models, behindOn = [] } = place;
  const others = models - 1;
  const but = better > 0 || behindOn.length === 0 ? '' : `, but behind ${behindTexts(behindOn)}`;
  if (better + worse === 0) return but;
  if (better === 0) return `, ahead of ${ofOthers(worse, others)}${worse === others ? '' : ' and behind none'}${but}`;
  if (worse === 0) return `, behind ${ofOthers(better, others)}${better === others ? '' : ' and ahead of none'}`;
  return `, ahead of ${worse} and behind ${better} of ${others} others`;
}

/** `2 of 5 others on suites hidden and plus`. */
function behindTexts(behindOn: readonly BehindOn[]): string {
  const alike = Map.groupBy(behindOn, ({ better, models }) => ofOthers(better, models - 1));
  return wordList([...alike].map(([whom, own]) => `${whom}${onSuites(own.map(({ suite }) => suite))}`));
}

/** Empty without suites. */
export const onSuites = (suites: readonly string[]): string =>
  suites.length < 2 ? onSuite({ suite: suites[0] ?? null }) : ` on suites ${wordList(suites)}`;

/** `the other model`, `both others`, `2 of 5 others`. */
export const ofOthers = (some: number, others: number): string => {
  if (others === 1) return 'the other model';
  if (some === others) return others === 2 ? 'both others' : `all ${others} others`;
  return `${some} of ${others} others`;
};

/** Where a metric is compared. */
interface Compared extends Pick<SaidEstimate, 'suite' | 'prompts'> {
  /** Null unless several studies have the metric. */
  readonly study: string | null;
}

/** What is compared: the trait, or what is special about a metric of it, with the suite if there are several. */
export const subjectName = ({ trait, aspect }: CardMetric, where: Compared): string =>
  `${aspect ?? traitNames[trait]}${ofPrompts(where)}${trait === 'cost' ? '' : onSuite(where)}${inStudy(where.study)}`;

/** In quotes, since a study may have the name of what is compared, such as `loops`. Empty for null. */
export const inStudy = (study: string | null): string => (study === null ? '' : ` in study ${quotedStudy(study)}`);

export const quotedStudy = (study: string): string => `"${study}"`;

/** What is compared in which no difference from any other model was found, those with equally many others together. */
function alikeClauses(parts: readonly SentencePart[]): string[] {
  const alike = parts.flatMap(({ metric, said, place, study = null }) =>
    place !== null && place.models > 1 && place.better + place.worse === 0
      ? [{ name: subjectName(metric, { ...said, study }), others: place.models - 1 }]
      : [],
  );
  return [...Map.groupBy(alike, ({ others }) => others)].map(([others, own]) => {
    const names = [...new Set(own.map(({ name }) => name))];
    const whom = others === 1 ? 'the other model' : others === 2 ? 'either other' : `any of ${others} others`;
    return `is not told apart from ${whom} in ${wordList(names)}`;
  });
}

/** `a`, `a and b`, `a, b and c`. */
export const wordList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** How a sentence or a table names a trait. */
export const traitNames: Readonly<Record<CardTrait, string>> = {
  correctness: 'passing',
  wording: 'robustness to wording',
  loops: 'loops',
  requirements: 'spread over phrasings',
  detail: 'least sufficient detail',
  versions: 'change from an older version without a requirement',
  cost: 'cost and time',
};
