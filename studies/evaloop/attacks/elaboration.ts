/** Redundant elaboration (EVALOOP, listing 3.1): surrounds the description with instructions that add nothing. */
import type { Attack } from './attack.ts';
import { describedTask } from './described-task.ts';

const before = 'Please implement the following Python function according to the detailed specification provided below.';
const between = 'Your implementation must satisfy the following test case:';
const after = 'Please ensure your function handles all edge cases and follows Python best practices.';

export const redundantElaboration: Attack = {
  name: 'elaboration',
  family: 'format',
  random: false,
  apply: ({ prompt }) => {
    const task = describedTask(prompt);
    return (
      task &&
      `${task.opening}${before}\nFunction Requirement: ${task.words}\n${between}\n` +
        `${task.tests}${after}\n${task.closing}`
    );
  },
};
