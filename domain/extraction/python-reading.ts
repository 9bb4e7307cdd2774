/** How Python programs are found in replies. */
import { bareCode } from './bare-code.ts';
import { bodyAnswer, extractCode, implementsName, isForeign, withoutEntities, withPrompt } from './extract-code.ts';
import type { CodeReading } from './reading.ts';
import { definesName } from './statements.ts';

export const pythonReading: CodeReading = {
  owns: (tag) => !isForeign(tag),
  defines: (text, entryPoint) => implementsName(withoutEntities(text), entryPoint),
  lastDefining: (reply, { entryPoint, prompt }) =>
    extractCode(reply, { entryPoint, prompt: definesName(prompt, entryPoint) ? prompt : undefined }),
  completed(found, wanted) {
    const isWhole = implementsName(found.text, wanted.entryPoint);
    const body = isWhole ? null : bodyAnswer([found.text], wanted);
    if (!isWhole && body === null && found.how === 'bare' && bareCode(found.text) === null) return null;
    const { text, how } = isWhole ? withPrompt(found, [], wanted) : (body ?? found);
    return { code: `${text.trimEnd()}\n`, how, removed: 0 };
  },
  whole: ({ text, how }) => ({ code: `${text.trimEnd()}\n`, how, removed: 0 }),
};
