/** A prompt of MBPP's shape taken apart: quotes, words, asserts, quotes. */
import { isCodeLine } from './attack.ts';

export interface DescribedTask {
  /** The line of quotes with its line end, or nothing. */
  readonly opening: string;
  readonly words: string;
  /** The asserts with their line ends. */
  readonly tests: string;
  readonly closing: string;
}

/** Null for a prompt of another shape, such as a signature with a docstring. */
export function describedTask(prompt: string): DescribedTask | null {
  const parts = /^(?<opening>\s*(?:"""|''')?\s*)(?<words>\S.*?)\s*\n(?<tests>(?:assert\b[^\n]*\n)+)(?<closing>\s*(?:"""|''')?\s*)$/s.exec(
    prompt,
  );
  const { opening, words, tests, closing } = parts?.groups ?? {};
  if (opening === undefined || words === undefined || tests === undefined || closing === undefined) return null;
  return words.split('\n').some(isCodeLine) ? null : { opening, words, tests, closing };
}
