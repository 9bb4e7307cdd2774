/**
 * The last block that defines the entry point, tidied, with what it needs from other blocks and the prompt; where there is no
 * block, code among prose. evenkeel's own rule, and the only one before studies could name one.
 */
import { cppProgram } from '../cpp-answer.ts';
import { type ExtractedCode, extractCode } from '../extract-code.ts';
import { extractScript } from '../extract-script.ts';
import { definesName } from '../statements.ts';
import { summaryText } from '../summary-text.ts';
import type { AskedTask, ExtractionRule } from './rule.ts';

export const lastDefining: ExtractionRule = { name: 'last-defining', version: 3, code, words: summaryText };

function code(reply: string, { entryPoint, prompt, language }: AskedTask): ExtractedCode {
  if (language === 'cpp') {
    const found = extractScript(reply, { language, entryPoint, prompt });
    return { ...found, code: found.code === null ? null : cppProgram(found.code, prompt, entryPoint) };
  }
  if (language !== 'python') return extractScript(reply, { language, entryPoint, prompt });
  return extractCode(reply, { entryPoint, prompt: definesName(prompt, entryPoint) ? prompt : undefined });
}
