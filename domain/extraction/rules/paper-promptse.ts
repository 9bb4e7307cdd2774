/** PromptSE: the paper states nothing. The first block is the reading nearest to the others; HumanEval's prompts are completed. */
import { summaryText } from '../summary-text.ts';
import { completed } from './completed.ts';
import { firstBlock } from './first-fence.ts';
import type { ExtractionRule } from './rule.ts';

export const paperPromptse: ExtractionRule = {
  name: 'paper-promptse',
  version: 1,
  code: (reply, task) => completed(firstBlock(reply), task),
  words: summaryText,
};
