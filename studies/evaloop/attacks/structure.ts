/**
 * Structural reformatting (EVALOOP, listing 3.1): labels before the description and the test. The listing shows an
 * empty line before every assert, even in the initial prompt, where the benchmark has none; this attack adds none.
 */
import type { Attack } from './attack.ts';
import { describedTask } from './described-task.ts';

export const structuralReformatting: Attack = {
  name: 'structure',
  family: 'format',
  random: false,
  apply: ({ prompt }) => {
    const task = describedTask(prompt);
    return task && `${task.opening}Task: ${task.words}\nTest Case:\n${task.tests}${task.closing}`;
  },
};
