/** Exactly one finished block, of the task's language or without a tag: it is the program, to which nothing is added. */
import { cppProgram } from '../cpp-answer.ts';
import { type ExtractedCode, isForeign } from '../extract-code.ts';
import { scriptProgram } from '../extract-script.ts';
import { type Block, fencedBlocks } from '../fences.ts';
import { fenceTags } from '../../languages.ts';
import { answerText } from '../reply-text.ts';
import { summaryText } from '../summary-text.ts';
import type { AskedTask, ExtractionRule } from './rule.ts';

export const strict: ExtractionRule = { name: 'strict', version: 1, code, words: summaryText };

function code(reply: string, task: AskedTask): ExtractedCode {
  const answer = answerText(reply);
  if (answer === '') return { code: null, how: reply.trim() === '' ? 'empty' : 'prose_only', removed: 0 };
  const [block, ...others] = fencedBlocks(answer).blocks;
  if (block === undefined || others.length > 0 || !block.closed) return { code: null, how: 'not_one_block', removed: 0 };
  if (!isOwn(block, task)) return { code: null, how: 'other_language', removed: 0 };
  return block.text.trim() === '' ? { code: null, how: 'empty', removed: 0 } : programOf(block.text, task);
}

const isOwn = ({ tag }: Block, { language }: AskedTask): boolean =>
  language === 'python' ? !isForeign(tag) : tag === '' || fenceTags(language).has(tag);

/** The tests of other languages follow the program in one file: see `paper-chain`; in C++ so does the prompt's preamble before it. */
function programOf(text: string, { language, entryPoint, prompt }: AskedTask): ExtractedCode {
  if (language === 'python') return { code: `${text.trimEnd()}\n`, how: 'fenced', removed: 0 };
  const program = scriptProgram({ text, how: 'fenced' }, { language, entryPoint, prompt });
  return language === 'cpp' && program.code !== null ? { ...program, code: cppProgram(program.code, prompt, entryPoint) } : program;
}
