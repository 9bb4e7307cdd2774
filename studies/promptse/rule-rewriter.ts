/**
 * A rewriter that needs no model: it says an emotion and a personality with phrases from the templates and puts words otherwise, until the
 * measured distance is as near to the wanted one as it gets without passing it. It changes no number, name, quote or sentence order.
 */
import { wordDistance } from '../../domain/edit-distance.ts';
import { seedOf, uniform } from '../../domain/random.ts';
import { shuffled, type Style } from './draw-styles.ts';
import { contextTemplate, emotionTemplate, lexicon, traitTemplates } from './templates.ts';

/** One change of the passages; null where it does not apply any more. */
type Move = (passages: readonly string[]) => string[] | null;

/**
 * The passages worded anew.
 * @param names words that no replacement may touch: those of the signature
 * @param attempt counts up when an earlier result was refused
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
  const far: Far = (after) => wordDistance(before, after.join('\n'));
  let current = marked(passages, style, names, pick, far);
  for (const move of moves(passages, style, names, pick, next)) {
    const moved = move(current);
    if (moved !== null && far(moved) <= style.distance) current = moved;
  }
  return current;
}

type Pick = <T>(items: readonly T[]) => T;
/** Distance of passages from the original's. */
type Far = (after: readonly string[]) => number;

/** The mood is always said: by a clause where it fits into the distance, else by an interjection. */
function marked(passages: readonly string[], { emotion, distance }: Style, names: ReadonlySet<string>, pick: Pick, far: Far): string[] {
  const { interjections, clauses } = emotionTemplate(emotion);
  const clause = opened(passages, pick(clauses), names);
  const short = opened(passages, pick(interjections), names);
  return far(clause) <= distance && (far(short) < distance / 2 || pick([true, false])) ? clause : short;
}

const opened = (passages: readonly string[], phrase: string, names: ReadonlySet<string>): string[] => [
  `${phrase} ${decapitalized(passages[0] ?? '', names)}`,
  ...passages.slice(1),
];

/** Names and abbreviations keep their capital, and no word becomes a name of the signature. */
function decapitalized(text: string, names: ReadonlySet<string>): string {
  const first = /^[A-Z][a-z]+(?!\w)/.exec(text)?.[0];
  return first === undefined || names.has(first.toLowerCase()) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

/** Whole sentences come with the greater distances, words at all of them. */
function moves(passages: readonly string[], style: Style, names: ReadonlySet<string>, pick: Pick, next: () => number): Move[] {
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

/** After the last passage that ends a sentence; what ends in a colon or a comma leads to what follows it. */
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
/** Not within quotes, compounds or longer names; "given a" only where a sentence begins with it, not in "will be given a". */
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

/** The phrase's first occurrence in the words of the technical orientation; layout and a leading capital stay. */
function replacing(passage: number, phrase: string, { personality }: Style): Move {
  const words = lexicon.find((entry) => entry.phrase === phrase)?.words[personality.technical] ?? phrase;
  return (passages) => {
    const text = passages[passage] ?? '';
    const match = pattern(phrase).exec(text);
    if (match === null) return null;
    const put = /^[A-Z]/.test(match[0]) ? words.charAt(0).toUpperCase() + words.slice(1) : words;
    const broken = /\s*\n\s*/.exec(match[0])?.[0] ?? '';
    return passages.with(passage, text.slice(0, match.index) + put + broken + text.slice(match.index + match[0].length));
  };
}
