/** Passages in other words, as a simulated rewriter gives them: more of them the more is asked for, and now and then a word is lost. */
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

/** Share of words to change, as the instruction words it. */
const shares: readonly (readonly [RegExp, number])[] = [
  [/one word in ten/, 0.1],
  [/one word in five/, 0.2],
  [/one word in three/, 0.3],
];

/** A passage loses a word of its own with the chance `driftPerLoop`; whether that matters is for the study to find. */
export function rewriteReply(profile: SimulatedProfile, passages: readonly string[], instruction: string, draws: Draws): Reply {
  const share = shares.find(([words]) => words.test(instruction))?.[1] ?? 0.2;
  const texts = passages.map((text) => lossy(profile, withAsides(text, share, draws), draws));
  const tagged = texts.map((text, index) => `<passage number="${index + 1}">\n${text}\n</passage>`);
  return { text: tagged.join('\n'), confidence: 0.9 };
}

/** Asides of about four words each before the passage, as many as the share of new words takes. */
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
