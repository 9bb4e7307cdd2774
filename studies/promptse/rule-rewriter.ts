/**
 * A rewriter without a model: it expresses an emotion and a personality with phrases from the templates and replaces
 * words, until the measured distance is as near to the intended one as possible without exceeding it. It does not
 * change numbers, names, quotations or the order of sentences.
 */
import { wordDistance } from '../../domain/edit-distance.ts';
import { seedOf, uniform } from '../../domain/random.ts';
import { shuffled, type Style } from './draw-styles.ts';
import { keptWithin } from './kept-within.ts';
import { contextTemplate, emotionTemplate, lexicon, traitTemplates } from './templates.ts';

/** One change of the passages; null if it no longer applies. */
type Move = (passages: readonly string[]) => string[] | null;

/**
 * The rewritten passages.
 * @param names words of the signature, which must not be replaced
 * @param attempt incremented after each rejected result
 */
export function rewriteByRules(
  passages: readonly string[],
  style: Style,
  names: ReadonlySet<string>,
  seed: number,
  attempt: number,
): string[] {
  const next = uniform(seedOf('rules', seed, ...passages, JSON.stringify(style), attempt));
  const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
  const before = passages.join('\n');
  const distanceOf: DistanceFromOriginal = (after) => wordDistance(before, after.join('\n'));
  let current = marked(passages, style, names, pick, distanceOf);
  const isKept = keptWithin(passages, style.distance, current);
  for (const move of moves(passages, style, names, pick, next)) {
    const moved = move(current);
    if (moved !== null && isKept(moved)) current = moved;
  }
  return current;
}

type Pick = <T>(items: readonly T[]) => T;
/** Distance of passages from the original's. */
type DistanceFromOriginal = (after: readonly string[]) => number;

/** Always expresses the emotion: by a clause if it fits into the distance, else by an interjection. */
function marked(
  passages: readonly string[],
  { emotion, distance }: Style,
  names: ReadonlySet<string>,
  pick: Pick,
  distanceOf: DistanceFromOriginal,
): string[] {
  const { interjections, clauses } = emotionTemplate(emotion);
  const clause = opened(passages, pick(clauses), names);
  const short = opened(passages, pick(interjections), names);
  return distanceOf(clause) <= distance && (distanceOf(short) < distance / 2 || pick([true, false])) ? clause : short;
}

const opened = (passages: readonly string[], phrase: string, names: ReadonlySet<string>): string[] => [
  `${phrase} ${decapitalized(passages[0] ?? '', names)}`,
  ...passages.slice(1),
];

/** Names and abbreviations keep their capital, and no word may become equal to a name of the signature. */
function decapitalized(text: string, names: ReadonlySet<string>): string {
  const first = /^[A-Z][a-z]+(?!\w)/.exec(text)?.[0];
  return first === undefined || names.has(first.toLowerCase()) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

/** Word replacements at every distance, whole sentences only at the two greater ones. */
function moves(
  passages: readonly string[],
  style: Style,
  names: ReadonlySet<string>,
  pick: Pick,
  next: () => number,
): Move[] {
  const { openers, closers } = emotionTemplate(style.emotion);
  const situation = style.context === undefined ? [] : [contextTemplate(style.context)];
  const traits = [...traitTemplates(style.personality), ...situation].map(({ sentences }) => closing(pick(sentences)));
  const sentences = style.distance === 0.1 ? [] : [opening(pick(openers)), closing(pick(closers)), ...traits];
  const words = occurrences(passages, names, next).map(({ passage, phrase }) => replacing(passage, phrase, style));
  return style.distance === 0.3 ? [...shuffled(sentences, next), ...words] : shuffled([...sentences, ...words], next);
}

const opening =
  (sentence: string): Move =>
  ([first, ...rest]) =>
    first === undefined ? null : [`${sentence} ${first}`, ...rest];

/** Adds a sentence after the last passage that ends a sentence; one that ends in a colon or comma leads to code. */
const closing =
  (sentence: string): Move =>
  (passages) => {
    const at = passages.findLastIndex((text) => /[\w.!?)\]'"]$/.test(text));
    const text = passages[at];
    if (text === undefined) return null;
    return passages.with(at, `${/[.!?]$/.test(text) ? text : `${text}.`} ${sentence}`);
  };

interface Occurrence {
  readonly passage: number;
  readonly phrase: string;
}

const escaped = (phrase: string): string => phrase.replaceAll(' ', '\\s+');
/**
 * Does not match within quotations, compounds or longer names. "given a" matches only at the start of a sentence, not
 * in "will be given a".
 */
const pattern = (phrase: string): RegExp =>
  new RegExp(`(?<![\\w'"\`-]${phrase.startsWith('given ') ? '|[a-z]\\s+' : ''})${escaped(phrase)}(?![\\w'"\`(-])`, 'i');

function occurrences(passages: readonly string[], names: ReadonlySet<string>, next: () => number): Occurrence[] {
  const found = passages.flatMap((text, passage) =>
    lexicon
      .filter(({ phrase }) => !phrase.split(' ').some((word) => names.has(word)) && pattern(phrase).test(text))
      .map(({ phrase }) => ({ passage, phrase })),
  );
  return shuffled(found, next);
}

/** Replaces the first occurrence of a phrase by the technical orientation's words; keeps layout and leading capital. */
function replacing(passage: number, phrase: string, { personality }: Style): Move {
  const words = lexicon.find((entry) => entry.phrase === phrase)?.words[personality.technical] ?? phrase;
  return (passages) => {
    const text = passages[passage] ?? '';
    const match = pattern(phrase).exec(text);
    if (match === null) return null;
    const put = /^[A-Z]/.test(match[0]) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
    const broken = /\s*\n\s*/.exec(match[0])?.[0] ?? '';
    return passages.with(
      passage,
      text.slice(0, match.index) + put + broken + text.slice(match.index + match[0].length),
    );
  };
}
