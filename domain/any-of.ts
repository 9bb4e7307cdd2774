/** The source of a pattern that matches if any of these does, so that long patterns can be written in pieces. */
export const anyOf = (...patterns: readonly RegExp[]): string =>
  `(?:${patterns.map(({ source }) => source).join('|')})`;
