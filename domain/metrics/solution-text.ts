/** The text of `solution.py`: the program with exactly one line end behind it, so that how a reply ended does not count. */
export const solutionText = (source: string): string => `${source.replace(/[\r\n]+$/, '')}\n`;
