/**
 * The summary prompts that RQ3 compares: listing 3.2's initial prompt and its five variants, as printed in the paper,
 * with straight quotes and without the line breaks of its column. Each is used in all loops of a run.
 */
import type { summaryPromptNames } from '../../schemas/spec/evaloop.ts';
import { summaryPrompt } from './prompts.ts';

export type SummaryPromptName = 'initial' | (typeof summaryPromptNames)[number];

const start = 'write a python function to';

export const summaryPrompts = {
  initial: summaryPrompt,
  /** Prompt 1. */
  detailed: (code: string): string =>
    `Summarize what the following code does in natural language:\n${fenced(code)}\n` +
    'Provide a brief explanation in 2-3 sentences. Describe what the code does and its basic inputs/outputs, ' +
    'but avoid technical implementation details and repetitive explanations. Keep it straightforward and concise.',
  /** Prompt 2. */
  case: (code: string): string =>
    'USE ONE SENTENCE TO SUMMARIZE THE FOLLOWING CODE AND START WITH WRITE A PYTHON FUNCTION TO:\n' +
    `${fenced(code)}\n${fenced('WRITE A PYTHON FUNCTION TO')}`,
  /** Prompt 3. */
  structure: (code: string): string =>
    'Task: Use one sentence to summarize the following code and start with write a python function to:\n' +
    `1. Input Code:\n${fenced(code)}\n2. Output Format:\n${fenced(start)}`,
  /** Prompt 4. */
  simple: (code: string): string =>
    `Summarize this code in one sentence starting with '${start}':\n${fenced(code)}\nSummary: ${start}`,
  /** Prompt 5. */
  elaboration: (code: string): string =>
    'Please analyze the provided Python code below and generate a concise one-sentence summary. ' +
    `Your response must begin with the exact phrase '${start}'.\nCode to analyze:\n\`\`\`python\n${code}\n` +
    `\`\`\`\nPlease provide your summary in the following format:\n${fenced(start)}`,
} as const satisfies Record<SummaryPromptName, (code: string) => string>;

function fenced(text: string): string {
  return `\`\`\`\n${text}\n\`\`\``;
}
