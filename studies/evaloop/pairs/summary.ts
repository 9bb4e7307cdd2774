/** Code and its one-sentence summary: the pair that the paper uses. */
import { codePrompt, summaryPrompt } from '../prompts.ts';
import type { DualPair } from './pair.ts';

export const summary: DualPair = { describe: summaryPrompt, code: codePrompt };
