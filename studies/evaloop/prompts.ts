/**
 * EVALOOP's prompts, as in its authors' code and its listings 2.1 and 3.2.
 * Any change needs a new version, because runs store it.
 */
import type { ChatMessage } from '../../schemas/chat.ts';

export const evaloopPromptVersion = 'evaloop-1';

export const systemMessage = 'You are a helpful AI assistant.';

export const conversation = (text: string): ChatMessage[] => [
  { role: 'system', content: systemMessage },
  { role: 'user', content: text },
];

/** The judge answers greedily and with a number. */
export const judgeDecoding = { temperature: 0, maxTokens: 64 } as const;

/** `description` is the whole MBPP+ prompt, with its docstring quotes and its assert line. */
export const codePrompt = (description: string): string =>
  `Generate Python code for the following task: \n${description}\n` +
  'Return only the code, without explanations or comments.';

/** Listing 3.2, initial prompt. */
export const summaryPrompt = (code: string): string =>
  'Use one sentence to summarize the following code and start with write a python function to:\n' +
  `\`\`\`\n${code}\n\`\`\`\n\`\`\`\nwrite a python function to\n\`\`\``;

/** The line that keeps the function's name through every loop: the second-to-last of the task's prompt. */
export function assertLine(prompt: string): string {
  const lines = prompt.trimEnd().split('\n');
  return lines.at(-2) ?? '';
}

/** The next loop's description: the summary with the assert line attached again. */
export const nextDescription = (summary: string, prompt: string): string =>
  `"""\n${summary}\n${assertLine(prompt)}\n"""\n`;

/** Listing 2.1: similarity of two prompts, judged together with the code generated from each. */
export const judgePrompt = (prompt1: string, code1: string, prompt2: string, code2: string): string =>
  [
    'Compare the semantic similarity of these two code generation prompts. Consider both the prompts and their ' +
      'generated code outputs.',
    '',
    `Prompt 1: ${prompt1}`,
    `Generated Code 1: ${code1}`,
    '',
    `Prompt 2: ${prompt2}`,
    `Generated Code 2: ${code2}`,
    '',
    'Return only a similarity score between 0 and 1, where:',
    '- 1.0 = semantically equivalent (same intent, requirements, and expected output)',
    '- 0.0 = completely different semantic meaning',
    '- Values between 0 and 1 represent partial semantic overlap',
    '',
    'Score:',
  ].join('\n');
