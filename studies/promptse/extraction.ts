/**
 * PromptSE's paper does not describe extraction. This rule takes the first block, which is nearest to the other papers'
 * rules; with HumanEval's prompts, a function body is completed.
 */
import { summaryText } from '../../domain/extraction/summary-text.ts';
import { completed } from '../../domain/extraction/rules/completed.ts';
import { firstBlock } from '../../domain/extraction/rules/first-fence.ts';
import type { ExtractionRule } from '../../domain/extraction/rules/rule.ts';

export const paperPromptse: ExtractionRule = {
  name: 'paper-promptse',
  version: 1,
  code: (reply, task) => completed(firstBlock(reply), task),
  words: summaryText,
};
