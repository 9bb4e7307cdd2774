/** Code and its summary in one sentence: the paper's own pair. */
import { codePrompt, summaryPrompt } from '../prompts.ts';
import type { DualPair } from './pair.ts';

export const summary: DualPair = { describe: summaryPrompt, code: codePrompt };
