/** The contract of a format of other tools: a file in, answers with their places out. */
import type { RecordedVerdict } from '../../../schemas/chat.ts';
import type { Task } from '../../../schemas/task.ts';

/** Position of an answer in what was imported; `line` counts from 1. */
export interface ImportPlace {
  readonly file: string;
  readonly line?: number;
  readonly field?: string;
}

/**
 * reply: as the model gave it, so that the study's rule finds the code. continuation: the code after the task's prompt,
 * as human-eval asks for it. program: extracted already, judged as it stands.
 */
export type Holds = 'reply' | 'continuation' | 'program';

export interface ImportedAnswer {
  /** In the file's own form. */
  readonly taskId: string;
  readonly at: ImportPlace;
  readonly text: string;
  readonly holds: Holds;
  /** Another field of the record that also has a text, which is left. */
  readonly left?: string;
  readonly model?: string;
  readonly finishReason?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** The other tool's verdicts. */
  readonly recorded?: readonly RecordedVerdict[];
}

/** A sample for which the tool recorded a fault of its own or of the endpoint, and no answer. */
export interface ImportedFault {
  readonly taskId: string;
  readonly at: ImportPlace;
  readonly fault: string;
}

export interface ImportRequest {
  /** Absolute path of a file or folder. */
  readonly path: string;
  /** Names of columns or variables that differ from the usual ones, by the usual name. */
  readonly columns: ReadonlyMap<string, string>;
  /** Of the benchmark that the user named, in file order; null if none. */
  readonly tasks: readonly Task[] | null;
}

/** In the file's order. Throws `InputError` with file and place for whatever breaks the format. */
export type ReadAnswers = (request: ImportRequest) => AsyncIterable<ImportedAnswer | ImportedFault>;

export interface ImportFormat {
  /** For `import --help`: whose files, and which. */
  readonly about: string;
  /** What the texts of its files are. */
  readonly holds: readonly Holds[];
  /** Loaded when needed: `--help` needs none. */
  readonly load: () => Promise<ReadAnswers>;
}

/** The suite of a verdict on all tests of a task. */
export const allSuites = 'all suites';
