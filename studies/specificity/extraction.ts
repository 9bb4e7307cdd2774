/**
 * PartialOrderEval's extraction: the first block (according to a secondary source), else the whole reply; a function
 * body is completed with the prompt's signature.
 */
import { summaryText } from '../../domain/extraction/summary-text.ts';
import { completed } from '../../domain/extraction/rules/completed.ts';
import { firstBlock } from '../../domain/extraction/rules/first-fence.ts';
import type { ExtractionRule } from '../../domain/extraction/rules/rule.ts';

export const paperSpecificity: ExtractionRule = {
  name: 'paper-specificity',
  version: 1,
  code: (reply, task) => completed(firstBlock(reply), task),
  words: summaryText,
};
