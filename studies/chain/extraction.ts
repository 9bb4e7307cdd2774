/**
 * EVALOOP's translation chain: the authors extract code from a translation as from any other answer. In languages other
 * than Python the tests follow the program in the same file here, so anything that would stop them is removed: a main
 * program, exports, PHP's tags.
 */
import type { ExtractedCode } from '../../domain/extraction/extract-code.ts';
import { firstFencedOrAll } from '../../domain/extraction/rules/first-fence.ts';
import { languages } from '../../domain/languages/index.ts';
import type { AskedTask, ExtractionRule } from '../../domain/extraction/rules/rule.ts';

export const paperChain: ExtractionRule = {
  name: 'paper-chain',
  version: 1,
  code,
  words: (reply) => reply.trim() || null,
};

function code(reply: string, task: AskedTask): ExtractedCode {
  const found = firstFencedOrAll(reply);
  const { isScript, reading } = languages[task.language];
  return isScript && found.code !== null ? reading.whole({ text: found.code, how: found.how }, task) : found;
}
