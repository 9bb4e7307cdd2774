/** Splits a prompt of MBPP's form into opening quotes, words, asserts and closing quotes. */
import { isCodeLine } from './attack.ts';

export interface DescribedTask {
  /** The line of quotes with its line end, or an empty string. */
  readonly opening: string;
  readonly words: string;
  /** The asserts with their line ends. */
  readonly tests: string;
  readonly closing: string;
}

const quotes = /\s*(?:"""|''')?\s*/.source;
const shape = new RegExp(
  `^(?<opening>${quotes})(?<words>\\S.*?)\\s*\\n(?<tests>(?:assert\\b[^\\n]*\\n)+)(?<closing>${quotes})$`,
  's',
);

/** Null for a prompt of another form, such as a signature with a docstring. */
export function describedTask(prompt: string): DescribedTask | null {
  const parts = shape.exec(prompt);
  const { opening, words, tests, closing } = parts?.groups ?? {};
  if (opening === undefined || words === undefined || tests === undefined || closing === undefined) return null;
  return words.split('\n').some(isCodeLine) ? null : { opening, words, tests, closing };
}
