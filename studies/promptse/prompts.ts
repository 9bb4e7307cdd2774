/**
 * The prompt for a model under study: evenkeel's, the same for every model and variant. Any change needs a new version,
 * because runs store it.
 */
import { languages } from '../../domain/languages/index.ts';
import type { ChatMessage } from '../../schemas/chat.ts';
import type { ProgramLanguage } from '../../schemas/program.ts';

export const promptsePromptVersion = 'promptse-1';

export const codeMessages = (prompt: string, language: ProgramLanguage): ChatMessage[] => [
  { role: 'system', content: `You are a helpful AI assistant that writes ${languages[language].title}.` },
  {
    role: 'user',
    content:
      `Solve the following ${languages[language].title} task. Answer with one code block that holds the ` +
      `whole solution, imports included, and nothing else.\n\n${prompt.trim()}\n`,
  },
];
