/** The texts of the translation chain: the order is the paper's (section 5), the signature is ours. A change here is a new version: runs freeze it. */
import { signatureLines } from '../../domain/benchmarks/signature-prompt.ts';
import { languageTexts } from '../../domain/languages.ts';
import type { ChatMessage } from '../../schemas/chat.ts';
import type { ProgramLanguage } from '../../schemas/program.ts';
import type { Task } from '../../schemas/task.ts';
import { conversation } from '../evaloop/prompts.ts';

export const chainPromptVersion = 'chain-1';

export interface Translation {
  readonly from: ProgramLanguage;
  readonly to: ProgramLanguage;
  readonly code: string;
  /** How the function is to begin; null leaves the model to find its name. */
  readonly signature: string | null;
}

export function translationMessages({ from, to, code, signature }: Translation): ChatMessage[] {
  const [source, target] = [languageTexts[from], languageTexts[to]];
  const wanted =
    signature === null ? '' : `\nThe ${target.title} function has this signature:\n\`\`\`${target.fence}\n${signature.trim()}\n\`\`\``;
  return conversation(
    `Convert the following ${source.title} code to ${target.title}:\n\`\`\`${source.fence}\n${code.trim()}\n\`\`\`${wanted}\nReturn only the code, without explanations or comments.`,
  );
}

/** The beginning of a task's function, without the description that MXEVAL's prompt gives with it. */
export function signatureOf({ prompt, entryPoint, language }: Task): string {
  if (language === 'python') return signatureLines(prompt, entryPoint) ?? `def ${entryPoint}`;
  const start = prompt.search(languageTexts[language].definition(entryPoint));
  return prompt.slice(Math.max(0, start)).trimEnd();
}

/** The reference as the first model sees it: without the description in it. */
export function startCode(task: Task): string {
  if (!task.reference.startsWith(task.prompt)) return task.reference;
  const body = task.reference.slice(task.prompt.length).replace(/^\s*\n/, '');
  return [...preambleLines(task), signatureOf(task), body].join('\n');
}

/** Imports before a Python signature; other languages' prompts have none. */
const preambleLines = ({ prompt, language }: Task): string[] =>
  language === 'python' ? prompt.split('\n').filter((line) => /^(?:import|from)\s/.test(line)) : [];
