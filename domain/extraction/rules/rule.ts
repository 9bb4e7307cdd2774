/** What a rule of extraction is: which part of a reply is the program, and which the words that EVALOOP hands on. */
import type { Task } from '../../../schemas/task.ts';
import type { ExtractedCode } from '../extract-code.ts';

/** What a rule needs of the task that a reply answers. `prompt` is the problem as it was put. */
export type AskedTask = Pick<Task, 'entryPoint' | 'prompt' | 'language'>;

export interface ExtractionRule {
  readonly name: string;
  /** Raised with every change that can give another program. */
  readonly version: number;
  /** Never throws. */
  readonly code: (reply: string, task: AskedTask) => ExtractedCode;
  /** A summary or a draft as it is worked on with; null when nothing is left. */
  readonly words: (reply: string) => string | null;
}

/** As manifest and tables have it: `paper-evaloop-1`. */
export const ruleId = ({ name, version }: Pick<ExtractionRule, 'name' | 'version'>): string => `${name}-${version}`;
