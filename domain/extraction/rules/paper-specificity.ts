/** PartialOrderEval: the first block (a secondary source), else the whole reply; prompts end in a signature, and are completed. */
import { summaryText } from '../summary-text.ts';
import { completed } from './completed.ts';
import { firstBlock } from './first-fence.ts';
import type { ExtractionRule } from './rule.ts';

export const paperSpecificity: ExtractionRule = {
  name: 'paper-specificity',
  version: 1,
  code: (reply, task) => completed(firstBlock(reply), task),
  words: summaryText,
};
