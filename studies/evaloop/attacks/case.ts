/** Case transformation (EVALOOP, listing 3.1): the whole description in capitals. */
import type { Attack } from './attack.ts';
import { describedTask } from './described-task.ts';

export const caseTransformation: Attack = {
  name: 'case',
  family: 'format',
  random: false,
  apply: ({ prompt }) => {
    const task = describedTask(prompt);
    return task && `${task.opening}${task.words.toUpperCase()}\n${task.tests}${task.closing}`;
  },
};
