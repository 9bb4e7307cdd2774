/**
 * The prompts of the translation chain: the instruction is the paper's (section 5), the signature was added by
 * evenkeel. Any change needs a new version, because runs store it.
 */
import { languages } from '../../domain/languages/index.ts';
import type { ChatMessage } from '../../schemas/chat.ts';
import type { ProgramLanguage } from '../../schemas/program.ts';
import type { Task } from '../../schemas/task.ts';
import { conversation } from '../evaloop/prompts.ts';

export const chainPromptVersion = 'chain-1';

export interface Translation {
  readonly from: ProgramLanguage;
  readonly to: ProgramLanguage;
  readonly code: string;
  /** The target function's signature; null lets the model choose it. */
  readonly signature: string | null;
}

export function translationMessages({ from, to, code, signature }: Translation): ChatMessage[] {
  const [source, target] = [languages[from], languages[to]];
  const wanted =
    signature === null
      ? ''
      : `\nThe ${target.title} function has this signature:\n\`\`\`${target.fence}\n${signature.trim()}\n\`\`\``;
  return conversation(
    `Convert the following ${source.title} code to ${target.title}:\n\`\`\`${source.fence}\n${code.trim()}\n` +
      `\`\`\`${wanted}\nReturn only the code, without explanations or comments.`,
  );
}

/** The signature of a task's function, without the description in MXEVAL's prompt. */
export const signatureOf = ({ prompt, entryPoint, language }: Task): string =>
  languages[language].signature(prompt, entryPoint);

/** The code that the first step translates: the reference without its description. */
export function startCode(task: Task): string {
  if (!task.reference.startsWith(task.prompt)) return task.reference;
  const body = task.reference.slice(task.prompt.length).replace(/^\s*\n/, '');
  return [...languages[task.language].imports(task.prompt), signatureOf(task), body].join('\n');
}
