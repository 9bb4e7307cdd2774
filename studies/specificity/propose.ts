/**
 * Proposing a taxonomy: the prompt for a model and the parser of its answer. The paper used o3; its prompt, appendix F,
 * is not available.
 */
import type { ChatMessage } from '../../schemas/chat.ts';
import { taxonomySchema } from '../../schemas/taxonomy.ts';
import type { Proposal } from '../labels/study-labels.ts';

/** Version of the question's text. */
export const proposalVersion = 'propose-1';

/** @param fault what was wrong with the previous answer; null the first time */
export function proposeMessages(summaries: readonly string[], fault: string | null): ChatMessage[] {
  const lines = [
    'Below are short descriptions of programming tasks. Find out what kinds of detail they give, and sort these ' +
      'kinds: two to six categories, each with two to eight themes.',
    'A theme is a kind of detail that a description has or has not, told in one sentence so that two people would ' +
      'agree on it. Themes do not overlap, do not name single tasks, and together cover what the descriptions say.',
    '<summaries>',
    ...summaries.map((text, index) => `${index + 1}. ${text.replaceAll(/\s+/g, ' ').trim()}`),
    '</summaries>',
    'Answer with JSON between <taxonomy> and </taxonomy> and nothing else, in this form:',
    '{"categories": [{"name": "...", "themes": [{"name": "...", "meaning": "..."}]}]}',
    'Names have at most 80 characters, meanings at most 400.',
    ...(fault === null ? [] : [`An earlier answer could not be used: ${fault}.`]),
  ];
  return [
    { role: 'system', content: 'You sort the details that descriptions of programming tasks give.' },
    { role: 'user', content: `${lines.join('\n')}\n` },
  ];
}

/** Categories numbered 1, 1.1 and so on, whatever numbers the answer has; or the fault of the answer. */
export function proposalIn(reply: string): Proposal {
  const bare = reply.replaceAll(/<think>[\s\S]*?<\/think>/g, '');
  const text =
    /<taxonomy>([\s\S]*?)<\/taxonomy>/.exec(bare)?.[1] ?? /```(?:json)?\n([\s\S]*?)\n```/.exec(bare)?.[1] ?? bare;
  const json = parsed(text.replace(/^\s*```(?:json)?/, '').replace(/```\s*$/, ''));
  if (json === undefined) return { categories: null, fault: 'it is no JSON' };
  const numbered = withNumbers(json);
  if (numbered === null)
    return { categories: null, fault: 'it has no list "categories", or a category without a list "themes"' };
  const checked = taxonomySchema.safeParse({ version: 'proposed', categories: numbered });
  if (!checked.success) {
    const issue = checked.error.issues[0];
    return { categories: null, fault: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is no taxonomy'}` };
  }
  const { categories } = checked.data;
  const names = categories.flatMap(({ themes }) => themes.map(({ name }) => name.toLowerCase()));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (names.length < 2) return { categories: null, fault: 'it has fewer than two themes' };
  return twice === undefined
    ? { categories, fault: null }
    : { categories: null, fault: `the theme "${twice}" is there twice` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface Named {
  readonly name?: unknown;
  readonly meaning?: unknown;
  readonly themes?: unknown;
}

function withNumbers(json: unknown): unknown[] | null {
  const list = json !== null && typeof json === 'object' ? (json as { categories?: unknown }).categories : undefined;
  if (!Array.isArray(list)) return null;
  const categories = list as (Named | null)[];
  if (categories.some((category) => !Array.isArray(category?.themes))) return null;
  return (categories as Named[]).map((category, index) => ({
    id: `${index + 1}`,
    name: category.name,
    themes: (category.themes as (Named | null)[]).map((theme, place) => ({
      id: `${index + 1}.${place + 1}`,
      name: theme?.name,
      meaning: theme?.meaning,
    })),
  }));
}
