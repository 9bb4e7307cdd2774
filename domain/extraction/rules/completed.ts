/**
 * An answer to a prompt that ends in a signature: a body completes the prompt, and a whole function gets the helpers it
 * uses from the prompt.
 */
import { languages } from '../../languages/index.ts';
import type { ExtractedCode, FoundCode } from '../extract-code.ts';
import type { AskedTask } from './rule.ts';

/** Removes nothing from the text. A reply that has no block and defines nothing is not a program. */
export function completed(found: FoundCode, task: AskedTask): ExtractedCode {
  if (found.text.trim() === '') return { code: null, how: 'empty', removed: 0 };
  return languages[task.language].reading.completed(found, task) ?? { code: null, how: 'prose_only', removed: 0 };
}
