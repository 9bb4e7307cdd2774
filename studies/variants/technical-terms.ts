/** How technical the words of a prompt are: a control of the fourth research question. The list is our own, in data/promptse. */
import list from '../../data/promptse/technical-terms.json' with { type: 'json' };
import { comparedWords } from '../../domain/edit-distance.ts';
import type { Task } from '../../schemas/task.ts';
import { checkVariant, originalOf } from './invariance.ts';

const terms: ReadonlySet<string> = new Set(list.terms);

/** Share of the words of a variant's passages that are technical terms, 0 to 1; null where it has none. Parameters count by their old names. */
export function technicalShareOf({ prompt, entryPoint }: Pick<Task, 'prompt' | 'entryPoint'>, variant: string): number | null {
  const words = comparedWords((checkVariant(originalOf(prompt, entryPoint, true), variant).passages ?? []).join('\n'));
  return words.length === 0 ? null : words.filter((word) => terms.has(word)).length / words.length;
}
