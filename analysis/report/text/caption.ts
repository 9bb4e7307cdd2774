/** The caption of a table or figure that leaves the report: what it shows, over how many values, by which method. */

/** @param path its title and those above it @param sentences explanations; empty ones are skipped */
export const captionText = (path: readonly string[], sentences: readonly string[]): string =>
  [path.join(': '), ...sentences].filter((text) => text !== '').reduce(joined, '');

/** Sets a full stop between two texts if the first has no end mark. */
const joined = (before: string, text: string): string =>
  before === '' ? text : `${/[.!?]$/.test(before) ? before : `${before}.`} ${text}`;
