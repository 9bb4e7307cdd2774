/** What a dual pair is: two forms of one program that the same model makes of each other in turn (EVALOOP, sections 2.1 and 2.3). */
export interface DualPair {
  /**
   * Where neither of the two is code: what is asked for the second form, of the description. Code is then made of that, to be tested and for nothing
   * else. Left out, the second form is the code itself.
   */
  readonly draft?: (description: string) => string;
  /** What is asked of the second form when its code has passed. */
  readonly describe: (form: string) => string;
  /** What is asked for code. `words` are what it is to be made of (the description, or a draft), and the task's assert line. */
  readonly code: (words: string) => string;
}
