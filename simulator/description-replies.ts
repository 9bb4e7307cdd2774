/** Replies of a simulated writer, summarizer and labeller about a task's description. */
import { commentBeforeSignature } from '../domain/extraction/cpp-text.ts';
import type { Draws } from './draws.ts';
import type { SimulatedProfile } from './profile.ts';
import type { Reply } from './replies.ts';

/**
 * The task's own words and paragraphs of general advice; with probability `leaks`, the solution instead of the advice.
 */
export function describeReply(profile: SimulatedProfile, task: string, solution: string, draws: Draws): Reply {
  const leaks = draws.sample() < (profile.writing?.leaks ?? 0);
  const comment = commentBeforeSignature(task);
  const words =
    comment === null ? (/("""|''')([\s\S]*?)\1\s*$/.exec(task)?.[2] ?? task) : task.slice(comment.start, comment.end);
  const paragraphs = leaks ? [oneLine(words), solution] : [oneLine(words), ...advice];
  return { text: `<description>\n${paragraphs.join('\n\n')}\n</description>`, confidence: 0.9 };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

const advice = [
  'The arguments come in the order of the signature. Their types are those that the signature names, and they are ' +
    'valid as they are given.',
  'The function returns its result to the caller. The type of the result is always the same. Nothing is printed, ' +
    'and nothing is read.',
  'Look at the whole input before deciding anything. Go through it step by step, from the first part to the last. ' +
    'Keep what is needed for the result as you go. Give the result back at the end.',
  'Mind the edge cases. An empty input has a result too. A single value is a valid input. ' +
    'Equal values are treated alike.',
  'Do not change the arguments. Work with the standard library only. Take care that large inputs are handled in ' +
    'reasonable time.',
];

/** The first `limit` words; with probability `overlong`, three times as many and five more. */
export function shortenReply(profile: SimulatedProfile, text: string, limit: number, draws: Draws): Reply {
  const words = text.split(/\s+/).filter(Boolean);
  const overlong = draws.sample() < (profile.writing?.overlong ?? 0);
  const wanted = overlong
    ? [...words, ...Array.from({ length: 3 * limit + 5 }, () => 'indeed')].slice(0, 3 * limit + 5)
    : words.slice(0, limit);
  return { text: wanted.join(' '), confidence: 0.9 };
}

/** Themes whose keywords are in the text; each is overlooked with probability `judge.noise`. */
export function labelReply(profile: SimulatedProfile, themes: readonly string[], text: string, draws: Draws): Reply {
  const found = themes.filter((id) => keywords[id]?.test(text) === true && draws.sample() >= profile.judge.noise);
  return { text: found.length === 0 ? 'none' : found.join(', '), confidence: 0.9 };
}

const keywords: Readonly<Record<string, RegExp>> = {
  '1.1': /\w/,
  '1.2': /\bvalid\b|\bassum/i,
  '1.3': /\barguments?\b|\binput\b|\blists?\b|\bstrings?\b|\bintegers?\b/i,
  '1.4': /\breturns?\b|\bresult\b/i,
  '1.5': /\bstep by step\b|\bgo through\b/i,
  '2.1': /\breasonable time\b|\bin place\b/i,
  '2.3': /\bedge cases?\b|\bempty\b/i,
  '2.4': /\braise\b|\berrors?\b/i,
  '3.3': /\bdo not\b/i,
  '3.4': /\bat the end\b|^\s*\d+\. /im,
  '4.1': />>>|==/,
  '4.4': /\bstandard library\b/i,
};

/**
 * Two categories with the themes whose keywords are in the summaries, and one fixed theme each, so neither is empty.
 */
export function proposeReply(summaries: string): Reply {
  const themes = (words: readonly (readonly [name: string, keywords: RegExp])[], fallback: string) => [
    { name: fallback, meaning: `Says something of the kind: ${fallback.toLowerCase()}.` },
    ...words
      .filter(([, pattern]) => pattern.test(summaries))
      .map(([name]) => ({ name, meaning: `Speaks of ${name.toLowerCase()}.` })),
  ];
  const categories = [
    {
      name: 'What is given and wanted',
      themes: themes(
        [
          ['Arguments', /\barguments?\b/i],
          ['Result', /\bresult\b|\breturns?\b/i],
        ],
        'Goal',
      ),
    },
    {
      name: 'How it is done',
      themes: themes(
        [
          ['Edge cases', /\bedge cases?\b|\bempty\b/i],
          ['Steps', /\bsteps?\b/i],
        ],
        'Manner',
      ),
    },
  ];
  return { text: `<taxonomy>\n${JSON.stringify({ categories }, null, 1)}\n</taxonomy>`, confidence: 0.9 };
}
