/** Imports published recordings of a kind of study as replies to replay, and compares a replaying run with them. */
import type { RunDatabase } from '../analysis/database.ts';

export interface StudyImporter {
  /** Printed after an import: how to judge in the same way as the recording's authors. */
  readonly advice: string;
  /** The unit of the counts in `RecordedDifference`. */
  readonly unit: string;
  /** Throws InputError with the first fault if the text is not a valid recording. */
  parse(text: string, file: string): Recording;
}

export interface Recording {
  readonly tasks: number;
  /** Lines of a replay file. */
  readonly lines: readonly object[];
  /**
   * Tasks with different results in a run whose `model` replayed it. `compared` is 0 if the run has none of its tasks.
   */
  differences(database: RunDatabase, model: string): Promise<RecordedDifferences>;
}

export interface RecordedDifferences {
  readonly compared: number;
  readonly differences: readonly RecordedDifference[];
}

export interface RecordedDifference {
  readonly study: string;
  readonly taskId: string;
  readonly recorded: number;
  readonly here: number;
  readonly reason: string;
}
