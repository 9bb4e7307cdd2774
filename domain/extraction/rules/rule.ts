/** An extraction rule: which part of a reply is the program, and which the words that EVALOOP passes on. */
import type { Task } from '../../../schemas/task.ts';
import type { ExtractedCode } from '../extract-code.ts';

/** The facts that a rule needs about the task. `prompt` is the problem as it was asked. */
export type AskedTask = Pick<Task, 'entryPoint' | 'prompt' | 'language'>;

export interface ExtractionRule {
  readonly name: string;
  /** Raised with every change that can result in another program. */
  readonly version: number;
  /** Never throws. */
  readonly code: (reply: string, task: AskedTask) => ExtractedCode;
  /** A summary or a draft as used in the next step; null if nothing is left. */
  readonly words: (reply: string) => string | null;
}

/** The rule's id in manifest and tables: `paper-evaloop-1`. */
export const ruleId = ({ name, version }: Pick<ExtractionRule, 'name' | 'version'>): string => `${name}-${version}`;
