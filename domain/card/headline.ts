/** One sentence over all traits: which model has the best estimate in which, and who is shown to be behind it. */
import { inStudy, wordList } from './sentence.ts';

export interface TraitStandings {
  /** What is compared, as a sentence names it: `loops`, or `passing on suite base`. */
  readonly subject: string;
  /** The ranked models. */
  readonly models: readonly RankedModel[];
  /** The smallest difference between two of them that is shown, and on what, if all have that; null if none is. */
  readonly smallest: { readonly difference: string; readonly tasks: string | null } | null;
  /** Other studies that tell models apart in it: `study "plain" (164 tasks)`. Default: none. */
  readonly apartIn?: string | null;
}

export interface RankedModel {
  readonly name: string;
  /** 1 is the best estimate; ties share the mean of their ranks. */
  readonly rank: number;
  /** Models that are shown to be better, and those shown to be worse. */
  readonly better: number;
  readonly worse: number;
  /** Two models have a group in common exactly if no difference between them was shown. */
  readonly groups: readonly number[];
}

/** Longer lists of names end with a count. */
const mostNames = 3;
/** If more than these are not shown to be behind, it says how small a difference was shown. */
const mostOpen = 6;

const caution = 'Models without a shown difference need not be equal.';

/**
 * Each trait has its model with the best estimate, and counts the others by whether they are shown to be behind it.
 * Traits of which the same can be said are said together. Empty without a trait that ranks two models.
 * @param standings one per trait, and one each of cost and time, in the order of the page
 * @param study of all of them, if there are others with the same metrics
 * @param unjudged further models, of which no answer could be judged
 */
export function headline(
  standings: readonly TraitStandings[],
  study: string | null = null,
  unjudged: readonly string[] = [],
): string {
  const ranked = standings.filter(({ models }) => models.length > 1);
  if (ranked.length === 0) return '';
  // The models of one trait need not be among those of another.
  const count = new Set([...unjudged, ...ranked.flatMap(({ models }) => models.map(({ name }) => name))]).size;
  const told = ranked.filter(({ models }) => !isUntold(models)).map((one) => ({ ...one, lead: leadOf(one.models) }));
  const groups = Map.groupBy(told, ({ lead }) => `${firstText(lead)}${othersText(lead)}`);
  const clauses = [...groups.values()].map((own) => {
    const [{ lead }] = own as [(typeof told)[number]];
    return `${firstText(lead)} in ${traitList(own, count)}${othersText(lead)}${finestText(own)}`;
  });
  const untold = ranked.filter(({ models }) => isUntold(models));
  const none = [...Map.groupBy(untold, ({ apartIn = null }) => apartIn)].map(([apartIn, own]) => {
    const but = apartIn === null ? '' : `, but some are in ${apartIn}`;
    return `no two models are told apart in ${traitList(own, count)}${but}`;
  });
  const isOpen = none.length > 0 || told.some(({ lead }) => lead.open.length > 0);
  const said = [...clauses, ...none].join('; ');
  return `Of ${count} models${inStudy(study)}, ${said}.${isOpen ? ` ${caution}` : ''}${unjudgedText(unjudged)}`;
}

function unjudgedText(names: readonly string[]): string {
  if (names.length === 0) return '';
  const [are, their] = names.length === 1 ? ['is', 'its'] : ['are', 'their'];
  return ` ${someNames(names)} ${are} not compared: none of ${their} answers could be judged.`;
}

/** The models that the headline says to be best in a trait, and those of them that it names; empty if it says none. */
export function leadersOf(models: readonly RankedModel[]): {
  readonly all: readonly string[];
  readonly named: readonly string[];
} {
  const all = models.length < 2 || isUntold(models) ? [] : leadOf(models).first.map(({ name }) => name);
  return { all, named: all.length > mostNames + 1 ? all.slice(0, mostNames) : all };
}

/** `a, b, c and 2 others`. */
export const someNames = (names: readonly string[]): string =>
  wordList(names.length > mostNames + 1 ? [...names.slice(0, mostNames), `${names.length - mostNames} others`] : names);

const isUntold = (models: readonly RankedModel[]): boolean => models.every(({ better, worse }) => better + worse === 0);

/**
 * Says for how many models a trait is compared, where some have no value in it, or none that others share.
 * @param count models with a value in any trait
 */
function traitList(own: readonly TraitStandings[], count: number): string {
  const known = new Set(own.map(({ models }) => models.length));
  const [first = 0] = known;
  const subjects = own.map(({ subject }) => subject);
  if (own.length > 1 && known.size === 1 && first < count)
    return `${wordList(subjects)} (each compared for ${first} of them)`;
  return wordList(
    own.map(({ subject, models: { length } }) =>
      length < count ? `${subject} (compared for ${length} of them)` : subject,
    ),
  );
}

interface Lead {
  readonly first: readonly RankedModel[];
  /** Whether no other has a better estimate. */
  readonly isBest: boolean;
  /** The others: those shown to be behind, and those that are not. */
  readonly behind: readonly RankedModel[];
  /** Whether each of these is behind all first ones, where there are several. */
  readonly isBehindAll: boolean;
  readonly open: readonly RankedModel[];
}

/** Where pairs are compared on different tasks, the best estimate may be shown to be behind: it does not lead. */
function leadOf(models: readonly RankedModel[]): Lead {
  const unbeaten = models.filter(({ better }) => better === 0);
  const bestRank = (own: readonly RankedModel[]): number => Math.min(...own.map(({ rank }) => rank));
  const candidates = unbeaten.length > 0 ? unbeaten : models;
  const first = candidates.filter(({ rank }) => rank === bestRank(candidates));
  const others = models.filter((one) => !first.includes(one));
  const ahead = (one: RankedModel): number =>
    first.filter(({ groups }) => new Set(groups).isDisjointFrom(new Set(one.groups))).length;
  const behind = others.filter((one) => ahead(one) > 0);
  return {
    ...{ first, isBest: bestRank(candidates) === bestRank(models) },
    ...{ behind, isBehindAll: behind.every((one) => ahead(one) === first.length) },
    open: others.filter((one) => ahead(one) === 0),
  };
}

/** `a has the best estimate`. */
function firstText({ first, isBest }: Lead): string {
  const whose = someNames(first.map(({ name }) => name));
  const what = isBest ? 'the best estimate' : 'the best estimate of those that no other is shown to beat';
  return `${whose} ${first.length === 1 ? 'has' : 'have'} ${what}`;
}

/** `: c is shown to be behind it, 2 others are not`. */
function othersText({ first, behind, isBehindAll, open }: Lead): string {
  const them = behind.length > 0 && isBehindAll ? 'them' : 'one of them';
  const it = first.length === 1 ? 'it' : them;
  const [n, isOne] = [behind.length + open.length, open.length === 1];
  if (n === 0) return '';
  if (behind.length === 0) {
    if (isOne) return `, but ${open[0]?.name} is not shown to be behind ${it}`;
    return `, but none of the ${n} others is shown to be behind ${it}`;
  }
  const names = behind.map(({ name }) => name);
  const who = n > 1 && open.length === 0 ? `${n === 2 ? 'both' : `all ${n}`} others are` : behindText(names);
  const rest = open.length === 0 ? '' : `, ${isOne ? `${open[0]?.name} is` : `${open.length} others are`} not`;
  return `: ${who} shown to be behind ${it}${rest}`;
}

const behindText = (names: readonly string[]): string =>
  names.length > mostNames ? `${names.length} others are` : `${wordList(names)} ${names.length === 1 ? 'is' : 'are'}`;

/** What it takes to be told apart, where many are not. */
function finestText(own: readonly (TraitStandings & { readonly lead: Lead })[]): string {
  const texts = own.flatMap(({ subject, lead, smallest }) => {
    if (lead.open.length < mostOpen || smallest === null) return [];
    const of = own.length === 1 ? '' : ` in ${subject}`;
    const on = smallest.tasks === null ? '' : `on ${smallest.tasks}, `;
    return [`${on}the smallest difference shown${of} is ${smallest.difference}`];
  });
  return texts.length === 0 ? '' : ` (${texts.join('; ')})`;
}
