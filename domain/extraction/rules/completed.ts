/** An answer to a prompt that ends in a signature: a body alone completes it, and a whole function gets what it uses of the prompt. */
import { bareCode } from '../bare-code.ts';
import { cppProgram } from '../cpp-answer.ts';
import { bodyAnswer, type ExtractedCode, type Found, implementsName, withPrompt } from '../extract-code.ts';
import { defines, scriptProgram, withSignature } from '../extract-script.ts';
import type { AskedTask } from './rule.ts';

const prose: ExtractedCode = { code: null, how: 'prose_only', removed: 0 };

/** Nothing of the text is cut off. A reply without a block that defines nothing is no program. */
export function completed(found: Found, { language, entryPoint, prompt }: AskedTask): ExtractedCode {
  if (found.text.trim() === '') return { code: null, how: 'empty', removed: 0 };
  if (language === 'python') return completedPython(found, { entryPoint, prompt });
  const context = { language, entryPoint, prompt };
  const whole = withSignature(found, context);
  if (whole === found && found.how === 'bare' && !defines(found.text, context)) return prose;
  const program = scriptProgram(whole, context);
  return language === 'cpp' && program.code !== null ? { ...program, code: cppProgram(program.code, prompt, entryPoint) } : program;
}

function completedPython(found: Found, context: { readonly entryPoint: string; readonly prompt: string }): ExtractedCode {
  const isWhole = implementsName(found.text, context.entryPoint);
  const body = isWhole ? null : bodyAnswer([found.text], context);
  if (!isWhole && body === null && found.how === 'bare' && bareCode(found.text) === null) return prose;
  const { text, how } = isWhole ? withPrompt(found, [], context) : (body ?? found);
  return { code: `${text.trimEnd()}\n`, how, removed: 0 };
}
