/**
 * Wants exactly one complete block, in the task's language or without a tag; it is the program, and nothing is added.
 */
import { languages } from '../../languages/index.ts';
import type { ExtractedCode } from '../extract-code.ts';
import { fencedBlocks } from '../fences.ts';
import { answerText } from '../reply-text.ts';
import { summaryText } from '../summary-text.ts';
import type { AskedTask, ExtractionRule } from './rule.ts';

export const strict: ExtractionRule = { name: 'strict', version: 1, code, words: summaryText };

/** In languages other than Python, the tests follow the program in one file: see `paper-chain`. */
function code(reply: string, task: AskedTask): ExtractedCode {
  const { reading } = languages[task.language];
  const answer = answerText(reply);
  if (answer === '') return { code: null, how: reply.trim() === '' ? 'empty' : 'prose_only', removed: 0 };
  const [block, ...others] = fencedBlocks(answer).blocks;
  if (block === undefined || others.length > 0 || !block.closed)
    return { code: null, how: 'not_one_block', removed: 0 };
  if (!reading.owns(block.tag)) return { code: null, how: 'other_language', removed: 0 };
  if (block.text.trim() === '') return { code: null, how: 'empty', removed: 0 };
  return reading.whole({ text: block.text, how: 'fenced' }, task);
}
