/** The prompt for a model that rewrites, and the parser of its answer. The texts are versioned with the templates. */
import type { ChatMessage } from '../../schemas/chat.ts';
import { dedent } from '../../domain/extraction/statements.ts';
import type { Draw } from '../variants/settle.ts';
import type { Original } from '../variants/invariance.ts';
import { passagesOf, type PromptParts, withPassages } from '../variants/prompt-parts.ts';
import { type Renaming, withSignature } from '../variants/renaming.ts';
import type { Style } from './draw-styles.ts';
import { contextTemplate, distanceTemplate, emotionTemplate, type StyleTemplate, traitTemplates } from './templates.ts';

const systemMessage =
  'You put programming tasks into other words. You change how something is said and never what is asked: every ' +
  'requirement, condition, number, name and quoted value stays.';

const styleText = ({ description, languageCharacteristics, expressionPattern }: StyleTemplate): string =>
  `${description} Language: ${languageCharacteristics} Expression: ${expressionPattern}`;

/** The rewriter does not need the layout. */
const flat = (text: string): string => dedent(text).replace(/\s*\n\s*/g, ' ');

/**
 * Asks for the passages of a prompt in a person's style. Shows the whole prompt, since passages alone can be unclear.
 * @param mayRename parameters that may be renamed
 */
export function rewriteMessages(parts: PromptParts, style: Style, mayRename: readonly string[] = []): ChatMessage[] {
  const passages = passagesOf(parts).map((text, index) => `<passage number="${index + 1}">\n${flat(text)}\n</passage>`);
  const prompt = withPassages(parts, passagesOf(parts));
  const text = [
    'Write the passages below as this person would.',
    `Mood: ${styleText(emotionTemplate(style.emotion))}`,
    ...traitTemplates(style.personality).map((trait) => `Person: ${styleText(trait)}`),
    ...(style.context === undefined ? [] : [`Situation: ${styleText(contextTemplate(style.context))}`]),
    `How much to change: ${distanceTemplate(style.distance).instruction}`,
    '',
    'Rules: keep all numbers, names, quoted values, operators and conditions exactly as they are; add no ' +
      'requirement, example or code; solve nothing.',
    ...(mayRename.length === 0 ? [] : [renameRule(mayRename)]),
    'The whole task, for understanding only:',
    '<task>',
    prompt.trim(),
    '</task>',
    ...passages,
    '',
    `Answer with ${passages.length === 1 ? 'the passage' : `all ${passages.length} passages`} in the same tags ` +
      'and nothing else.',
  ].join('\n');
  return [
    { role: 'system', content: systemMessage },
    { role: 'user', content: text },
  ];
}

const renameRule = (names: readonly string[]): string =>
  `One exception: these parameters may have other names: ${names.join(', ')}. For each that you rename write ` +
  '<parameter from="old" to="new"/> before the passages, and use the new name in them.';

/** New names that an answer gives to parameters. */
const renamingIn = (reply: string): Renaming =>
  new Map(
    [...reply.matchAll(/<parameter\s+from="(\w+)"\s+to="(\w+)"\s*\/?>/g)].map(([, from = '', to = '']) => [from, to]),
  );

/** The prompt with the answer's passages, and its new parameter names if allowed; or the fault of the answer. */
export function draftFrom({ parts, entryPoint, renameParameters }: Original, reply: string): Draw {
  const wanted = passagesOf(parts);
  const given = [...reply.matchAll(/<passage number="(\d+)">\s*([\s\S]*?)\s*<\/passage>/g)].map(
    ([, number, text]) => [Number(number), text ?? ''] as const,
  );
  const byNumber = new Map(given);
  const passages = wanted.map((_, index) => byNumber.get(index + 1));
  if (byNumber.size !== wanted.length || passages.some((text) => text === undefined || text === ''))
    return { fault: `${byNumber.size} of ${wanted.length} passages came back` };
  const prompt = withPassages(
    parts,
    passages.map((text, index) => wrapped(text ?? '', wanted[index] ?? '')),
  );
  return { prompt: renameParameters ? withSignature(prompt, entryPoint, renamingIn(reply)) : prompt };
}

/** Wraps text to the original's longest line, with its indentation. */
function wrapped(text: string, original: string): string {
  const lines = original.split('\n');
  if (lines.length === 1) return flat(text);
  const width = Math.max(...lines.map((line) => line.trim().length));
  const indentation = /^\s*/.exec(lines[1] ?? '')?.[0] ?? '';
  const result: string[] = [];
  for (const word of flat(text).split(' ')) {
    const last = result.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) result.push(word);
    else result[result.length - 1] = `${last} ${word}`;
  }
  return result.join(`\n${indentation}`);
}
