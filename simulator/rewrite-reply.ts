/**
 * Reworded passages of a simulated rewriter: the larger the requested change, the more words it adds;
 * sometimes it loses a word.
 */
import type { Draws } from './draws.ts';
import type { SimulatedProfile } from './profile.ts';
import type { Reply } from './replies.ts';
import { shuffled } from './shuffled.ts';

const asides = [
  'if you ask me,',
  'to be plain about it,',
  'as far as I can see,',
  'and this matters to me,',
  'when all is said,',
  'as we discussed it,',
  'for what it is worth,',
  'between you and me,',
  'in so many words,',
  'as the plan has it,',
  'on a good day,',
  'with a little patience,',
  'all things considered,',
  'as you would expect,',
  'without any fuss,',
];

/** Share of words to change, read from the instruction. */
const shares: readonly (readonly [RegExp, number])[] = [
  [/one word in ten/, 0.1],
  [/one word in five/, 0.2],
  [/one word in three/, 0.3],
];

/** A passage loses one of its words with probability `driftPerLoop`; the study has to notice if that matters. */
export function rewriteReply(
  profile: SimulatedProfile,
  passages: readonly string[],
  instruction: string,
  draws: Draws,
): Reply {
  const share = shares.find(([words]) => words.test(instruction))?.[1] ?? 0.2;
  const texts = passages.map((text) => lossy(profile, withAsides(text, share, draws), draws));
  const tagged = texts.map((text, index) => `<passage number="${index + 1}">\n${text}\n</passage>`);
  return { text: tagged.join('\n'), confidence: 0.9 };
}

/** Puts phrases of about four words before the passage, as many as the share of new words needs. */
function withAsides(text: string, share: number, draws: Draws): string {
  const words = text.split(' ').length;
  const count = Math.max(1, Math.round((share * words) / (1 - share) / 4));
  const said = shuffled(asides, draws.sample).slice(0, count).join(' ');
  return `${said.charAt(0).toUpperCase()}${said.slice(1)} ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function lossy(profile: SimulatedProfile, text: string, draws: Draws): string {
  if (draws.sample() >= profile.driftPerLoop) return text;
  const words = text.split(' ');
  return words.toSpliced(Math.floor(draws.sample() * words.length), 1).join(' ');
}
