/** What an attack on a first prompt is, and the check that it left code alone. */
import { seedOf, uniform } from '../../../domain/random.ts';
import type { Task } from '../../../schemas/task.ts';

/** `format`: EVALOOP's three (listing 3.1). `wording`: perturbations of the words in the manner of ReCode (Wang et al. 2022). */
export type AttackFamily = 'format' | 'wording';

export interface Attack {
  /** As a spec names it. */
  readonly name: string;
  readonly family: AttackFamily;
  /** Whether seeds differ; an attack that is not random is asked once. */
  readonly random: boolean;
  /** The whole prompt under attack; null where there is nothing for it to change. */
  readonly apply: (task: AttackedTask, random: Draw) => string | null;
}

export type AttackedTask = Pick<Task, 'taskId' | 'prompt' | 'entryPoint'>;

/** Uniform in [0, 1), a new one at each call. */
export type Draw = () => number;

/**
 * The prompt under an attack: the same for the same task and seed, whatever else is attacked. Null where the attack changes nothing.
 * Throws where it changed, lost, moved or added an assert, a signature or another line of code: then two tasks would be compared, not two prompts.
 */
export function attackedPrompt(attack: Attack, task: AttackedTask, seed: number): string | null {
  const prompt = attack.apply(task, uniform(seedOf('attack', attack.name, task.taskId, seed)));
  if (prompt === null || prompt === task.prompt) return null;
  const [before, after] = [codeLines(task.prompt), codeLines(prompt)];
  const at = before.findIndex((line, index) => line !== after[index]);
  if (at === -1 && before.length === after.length) return prompt;
  const line = at === -1 ? after[before.length] : before[at];
  throw new Error(`attack ${attack.name} must keep ${task.taskId}'s asserts and signature as they are, but not so ${JSON.stringify(line)}`);
}

const codeLine = /^\s*(?:assert\b|(?:async\s+)?def\s|class\s+\w+\s*[(:]|import\s+[\w.]+\s*(?:as\s+\w+\s*)?$|from\s+\S+\s+import\b|@\w|>>>)/;

/** Whether a line of a prompt is Python that every prompt of the task must have. */
export const isCodeLine = (line: string): boolean => codeLine.test(line);

const codeLines = (prompt: string): string[] => prompt.split('\n').filter(isCodeLine);
