/** What a model under study is asked: ours, the same for every model and wording. A change is a new version: runs freeze it. */
import type { ChatMessage } from '../../schemas/chat.ts';

export const promptsePromptVersion = 'promptse-1';

export const codeMessages = (prompt: string): ChatMessage[] => [
  { role: 'system', content: 'You are a helpful AI assistant that writes Python.' },
  {
    role: 'user',
    content: `Solve the following Python task. Answer with one code block that holds the whole solution, imports included, and nothing else.\n\n${prompt.trim()}\n`,
  },
];
