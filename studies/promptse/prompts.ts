/** What a model under study is asked: ours, the same for every model and wording. A change is a new version: runs freeze it. */
import { languageTexts } from '../../domain/languages.ts';
import type { ChatMessage } from '../../schemas/chat.ts';
import type { ProgramLanguage } from '../../schemas/program.ts';

export const promptsePromptVersion = 'promptse-1';

export const codeMessages = (prompt: string, language: ProgramLanguage): ChatMessage[] => [
  { role: 'system', content: `You are a helpful AI assistant that writes ${languageTexts[language].title}.` },
  {
    role: 'user',
    content: `Solve the following ${languageTexts[language].title} task. Answer with one code block that holds the whole solution, imports included, and nothing else.\n\n${prompt.trim()}\n`,
  },
];
