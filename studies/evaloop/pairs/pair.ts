/**
 * A dual pair: two forms of one program that the same model converts into each other in turn
 * (EVALOOP, sections 2.1 and 2.3).
 */
export interface DualPair {
  /**
   * Only for pairs in which neither form is code: asks for the second form, given the description. Code is then
   * generated from the second form, only to test it. Without `draft`, the second form is the code itself.
   */
  readonly draft?: (description: string) => string;
  /** Asks for a description of the second form, after its code has passed. */
  readonly describe: (form: string) => string;
  /**
   * Asks for code. `words` holds the description or draft, and the task's assert line.
   */
  readonly code: (words: string) => string;
}
