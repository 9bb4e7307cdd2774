/**
 * Exception-handling statements by regular expression: the alternative to counting `except` handlers and `raise`
 * statements in the syntax tree (sandbox/container/exception_statements.py), for comparison with tools that match text.
 * This matches text, so statements in docstrings count too.
 */

/** Lines that begin with the keyword. Chosen by evenkeel: the expressions behind published numbers are not known. */
export const exceptionPatterns = ['^[ \\t]*except\\b', '^[ \\t]*raise\\b'] as const;

/** Number of matches of all patterns; ^ and $ match the ends of a line. Throws for an invalid pattern and names it. */
export function countMatches(source: string, patterns: readonly string[]): number {
  return patterns.reduce((sum, pattern) => sum + [...source.matchAll(compiled(pattern))].length, 0);
}

function compiled(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'gmu');
  } catch (error) {
    throw new Error(`invalid regular expression '${pattern}': ${(error as Error).message}`, { cause: error });
  }
}
