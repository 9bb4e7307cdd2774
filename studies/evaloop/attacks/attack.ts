/** The definition of an attack on a first prompt, and the check that it did not change code. */
import { anyOf } from '../../../domain/any-of.ts';
import { seedOf, uniform } from '../../../domain/random.ts';
import type { Task } from '../../../schemas/task.ts';

/**
 * `format`: EVALOOP's three (listing 3.1). `wording`: perturbations of the words like ReCode's (Wang et al. 2022).
 */
export type AttackFamily = 'format' | 'wording';

export interface Attack {
  /** The name in a spec. */
  readonly name: string;
  readonly family: AttackFamily;
  /** Whether the result depends on the seed; an attack that is not random is asked once. */
  readonly random: boolean;
  /** The whole attacked prompt; null if the attack has nothing to change. */
  readonly apply: (task: AttackedTask, random: Draw) => string | null;
}

export type AttackedTask = Pick<Task, 'taskId' | 'prompt' | 'entryPoint'>;

/** Uniform in [0, 1), a new one at each call. */
export type Draw = () => number;

/**
 * The prompt under an attack. It depends only on attack, task and seed. Null if the attack changes nothing. Throws if
 * the attack changed, removed, moved or added an assert, a signature or another line of code: the comparison would then
 * be between two tasks, not two prompts.
 */
export function attackedPrompt(attack: Attack, task: AttackedTask, seed: number): string | null {
  const prompt = attack.apply(task, uniform(seedOf('attack', attack.name, task.taskId, seed)));
  if (prompt === null || prompt === task.prompt) return null;
  const [before, after] = [codeLines(task.prompt), codeLines(prompt)];
  const at = before.findIndex((line, index) => line !== after[index]);
  if (at === -1 && before.length === after.length) return prompt;
  const line = at === -1 ? after[before.length] : before[at];
  throw new Error(
    `attack ${attack.name} must not change asserts or signature of ${task.taskId}, but it changed ` +
      `${JSON.stringify(line)}`,
  );
}

const codeLine = new RegExp(
  `^\\s*${anyOf(
    /assert\b/,
    /(?:async\s+)?def\s/,
    /class\s+\w+\s*[(:]/,
    /import\s+[\w.]+\s*(?:as\s+\w+\s*)?$/,
    /from\s+\S+\s+import\b/,
    /@\w/,
    />>>/,
  )}`,
);

/** Whether a line of a prompt is Python code, which every prompt of the task must keep. */
export const isCodeLine = (line: string): boolean => codeLine.test(line);

const codeLines = (prompt: string): string[] => prompt.split('\n').filter(isCodeLine);
