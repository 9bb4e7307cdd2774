/** The text without white space around it and at the ends of its lines; all other white space stays. */
export const withoutOuterSpace = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
