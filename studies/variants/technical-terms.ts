/**
 * How technical the words of a prompt are: a control variable of PromptSE's RQ4. The list is evenkeel's, in
 * data/promptse.
 */
import list from '../../data/promptse/technical-terms.json' with { type: 'json' };
import { comparedWords } from '../../domain/edit-distance.ts';
import type { Task } from '../../schemas/task.ts';
import { checkVariant, type Original, originalOf } from './invariance.ts';

const terms: ReadonlySet<string> = new Set(list.terms);

type DescribedTask = Pick<Task, 'prompt' | 'entryPoint'>;

const originals = new WeakMap<DescribedTask, Original>();

/** A task's prompt for the checks, cached: a task has many variants. */
function originalPrompt(task: DescribedTask): Original {
  const original = originals.get(task) ?? originalOf(task.prompt, task.entryPoint, true);
  originals.set(task, original);
  return original;
}

/**
 * Share of technical terms among the words of a variant's passages, 0 to 1; null without words. Parameters count with
 * their old names.
 */
export function technicalShareOf(task: DescribedTask, variant: string): number | null {
  const words = comparedWords((checkVariant(originalPrompt(task), variant).passages ?? []).join('\n'));
  return words.length === 0 ? null : words.filter((word) => terms.has(word)).length / words.length;
}
