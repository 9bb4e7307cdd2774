/** The text of `solution.py`: the program with exactly one line end, so that the end of a reply does not matter. */
export const solutionText = (source: string): string => `${source.replace(/[\r\n]+$/, '')}\n`;
