/** Forty small made-up tasks, each with a description of ten words of its own. */
import type { SimulatedTask } from '../../simulator/model.ts';

const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'ke', 'li', 'mo', 'nu'];
const word = (task: number, place: number): string =>
  `${syllables[task % 10]}${syllables[Math.floor(task / 10)]}${syllables[place]}${syllables[(task + place) % 10]}`;

function madeUpTask(number: number): SimulatedTask {
  const entryPoint = `solve_${number}`;
  const words = Array.from({ length: 10 }, (_, place) => word(number, place)).join(' the ');
  return {
    taskId: `Made/${number}`,
    entryPoint,
    description: `"""\nWrite a function to ${words}.\nassert ${entryPoint}(1) == ${number}\n"""\n`,
    reference: `def ${entryPoint}(value):\n    return value * ${number}\n`,
    wrong: [
      `def ${entryPoint}(value):\n    return value + ${number}\n`,
      `def ${entryPoint}(value):\n    return None\n`,
    ],
  };
}

export const madeUpTasks: readonly SimulatedTask[] = Array.from({ length: 40 }, (_, number) => madeUpTask(number));

export const codePrompt = (description: string): string =>
  `Generate Python code for the following task: \n${description}\n` +
  'Return only the code, without explanations or comments.';

/** The code of a reply in one of the shapes that the simulator uses. */
export const codeOf = (reply: string): string => /```\w*\n([\s\S]*?)\n```/.exec(reply)?.[1] ?? reply;

/** Whether the code is the task's reference, apart from its docstring and layout. */
export const isReference = (code: string, task: SimulatedTask): boolean => bare(code) === bare(task.reference);

const bare = (code: string): string => code.replace(/"""[\s\S]*?"""/, '').replaceAll(/\s+/g, '');
