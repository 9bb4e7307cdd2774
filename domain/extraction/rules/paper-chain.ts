/**
 * EVALOOP's translation chain: the authors take code from a translation as from any other answer. In other languages than Python the
 * tests follow the program in one file here, so what would keep them from running goes: a main program, exports, PHP's tags.
 */
import type { ExtractedCode } from '../extract-code.ts';
import { scriptProgram } from '../extract-script.ts';
import { firstFencedOrAll } from './paper-evaloop.ts';
import type { AskedTask, ExtractionRule } from './rule.ts';

export const paperChain: ExtractionRule = { name: 'paper-chain', version: 1, code, words: (reply) => reply.trim() || null };

function code(reply: string, { language, entryPoint, prompt }: AskedTask): ExtractedCode {
  const found = firstFencedOrAll(reply);
  if (language === 'python' || found.code === null) return found;
  return scriptProgram({ text: found.code, how: found.how }, { language, entryPoint, prompt });
}
