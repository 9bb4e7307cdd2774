/**
 * The prompts, written for evenkeel because the paper's appendices B to D are not available. Any change needs a new
 * version, because runs store it.
 */
import type { ChatMessage } from '../../schemas/chat.ts';
import type { Task } from '../../schemas/task.ts';
import type { Taxonomy } from '../../schemas/taxonomy.ts';

const messages = (system: string, ...lines: readonly string[]): ChatMessage[] => [
  { role: 'system', content: system },
  { role: 'user', content: `${lines.join('\n')}\n` },
];

/** The same instruction for every prompt of the poset. C++ tasks ask only for the function body, as in ParEval. */
export const codeMessages = (
  prompt: string,
  { language, entryPoint }: Pick<Task, 'language' | 'entryPoint'>,
): ChatMessage[] => (language === 'cpp' ? cppMessages(prompt, entryPoint) : pythonMessages(prompt));

const cppMessages = (prompt: string, name: string): ChatMessage[] =>
  messages(
    'You are a helpful coding assistant. You are given the beginning of a C++ function and write its body, in one ' +
      'markdown code block and with nothing else.',
    `Complete the C++ function ${name}. Only write the body of the function ${name}.`,
    '',
    '```cpp',
    prompt.trim(),
    '```',
  );

const pythonMessages = (prompt: string): ChatMessage[] =>
  messages(
    'You are a helpful AI assistant that writes Python.',
    'Complete the following Python function. Answer with one code block that holds the whole function, the ' +
      'imports and helpers above it included, and nothing else.',
    '',
    prompt.trim(),
  );

/** Asks for a maximally detailed description of a task, showing its solution. */
export const writeMessages = (prompt: string, solution: string): ChatMessage[] =>
  messages(
    'You specify programming tasks for others, so completely that they can be solved without a question.',
    'Write a maximally detailed description of the task below, for somebody who sees the signature and your ' +
      'description only.',
    'Say everything that the solution has to respect: goal, each argument, the result with its type and format, ' +
      'every step in order, ties, edge cases and errors, and what the examples show.',
    'Rules: English prose and lists, in several paragraphs with an empty line between them; no code and no line ' +
      'of the solution word for word; do not repeat the signature; ask for nothing that the solution does not do.',
    '<task>',
    prompt.trim(),
    '</task>',
    '<solution>',
    solution.trim(),
    '</solution>',
    'Answer with the description between <description> and </description> and nothing else.',
  );

/** Asks for a summary of at most `limit` words. */
export const summarizeMessages = (description: string, limit: number): ChatMessage[] =>
  messages(
    'You shorten descriptions of programming tasks and keep what matters most for solving them.',
    `Summarize the description below in at most ${limit} words. Count them: a longer answer is not used.`,
    '<description>',
    description,
    '</description>',
    'Answer with the summary and nothing else: no heading, no code, no quotes around it.',
  );

/** Asks which themes of a taxonomy a description has. */
export const labelMessages = (description: string, { categories }: Taxonomy): ChatMessage[] =>
  messages(
    'You label what descriptions of programming tasks say.',
    'Below are themes, and a description of a task. Name every theme that the description has; several can apply, ' +
      'and none has to.',
    '<themes>',
    ...categories.flatMap(({ id, name, themes }) => [
      `${id} ${name}`,
      ...themes.map((theme) => `  ${theme.id} ${theme.name}: ${theme.meaning}`),
    ]),
    '</themes>',
    '<description>',
    description,
    '</description>',
    'Answer with the numbers of the themes only, separated by commas, or with: none',
  );

/** The text in a writer's or summarizer's answer: between the tags if present, without an enclosing fence. */
export function describedIn(reply: string): string {
  const bare = reply.replaceAll(/<think>[\s\S]*?<\/think>/g, '');
  const tagged = /<description>([\s\S]*?)<\/description>/.exec(bare)?.[1] ?? bare;
  const fenced = /^\s*```[\w+-]*\n([\s\S]*?)\n```\s*$/.exec(tagged)?.[1] ?? tagged;
  return fenced.replaceAll('\r\n', '\n').trim();
}

/** The themes that a labeller's answer names, in the taxonomy's order; null if it holds anything else. */
export function labelsIn(reply: string, { categories }: Taxonomy): string[] | null {
  const bare = reply.replaceAll(/<think>[\s\S]*?<\/think>/g, '').trim();
  if (/^none\.?$/i.test(bare)) return [];
  const themes = categories.flatMap((category) => category.themes);
  // The name of a theme may have a comma.
  const items = bare.split('\n').flatMap((line) => (isItem(line, themes) ? [line] : line.split(/[,;]/)));
  const named = items.filter((item) => item.trim() !== '').map((item) => themeOf(item, themes));
  if (named.length === 0 || named.includes(null)) return null;
  return themes.map(({ id }) => id).filter((id) => named.includes(id));
}

type Theme = Taxonomy['categories'][number]['themes'][number];

const isItem = (text: string, themes: readonly Theme[]): boolean => themeOf(text, themes) !== null;

/**
 * The theme that an item of the answer is: its number, alone or before its name, its meaning or both. What else stands
 * behind a number may deny it.
 */
function themeOf(item: string, themes: readonly Theme[]): string | null {
  const [, id = '', rest = ''] = /^\s*(?:[-*•]\s*)?(\S+?)(?:[:.)]?\s+(?:-\s+)?(.*))?[:.\s]*$/s.exec(item) ?? [];
  const theme = themes.find((known) => known.id === id);
  if (theme === undefined) return null;
  const { name, meaning } = theme;
  const allowed = ['', name, meaning, `${name}: ${meaning}`];
  return allowed.some((text) => wordsOf(text) === wordsOf(rest)) ? id : null;
}

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';
