/** A list of names for a sentence: the first few, and the number of the others. */
const mostNames = 6;

export const nameList = (names: readonly string[]): string =>
  names.length <= mostNames
    ? names.join(', ')
    : `${names.slice(0, mostNames - 1).join(', ')} and ${names.length - mostNames + 1} more`;
