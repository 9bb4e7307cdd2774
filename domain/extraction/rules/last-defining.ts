/**
 * The last block that defines the entry point, cleaned up, with the helpers it needs from other blocks and the prompt;
 * without a block, code in prose. This is evenkeel's own rule, and was the only one before studies could choose.
 */
import { languages } from '../../languages/index.ts';
import { summaryText } from '../summary-text.ts';
import type { ExtractionRule } from './rule.ts';

export const lastDefining: ExtractionRule = {
  name: 'last-defining',
  version: 3,
  code: (reply, task) => languages[task.language].reading.lastDefining(reply, task),
  words: summaryText,
};
