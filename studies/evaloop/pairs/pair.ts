/** What a dual pair is: code, and a form of words that the same model makes of it and makes code from again (EVALOOP, sections 2.1 and 2.3). */
export interface DualPair {
  /** What is asked of code that passed. */
  readonly describe: (code: string) => string;
  /** What is asked for the next code. `description` holds what the model made of its code, and the task's assert line. */
  readonly code: (description: string) => string;
}
