/**
 * Exception-handling statements by regular expression: the alternative to counting `except` handlers and `raise` statements in the syntax
 * tree (sandbox/container/exception_statements.py), for comparison with tools that match text. Text is matched, so one in a docstring counts.
 */

/** Lines that begin with the keyword. Ours: which expressions published numbers were counted with is not known. */
export const exceptionPatterns = ['^[ \\t]*except\\b', '^[ \\t]*raise\\b'] as const;

/** Matches of all patterns together, ^ and $ being a line's ends. Throws on an invalid pattern, which it names. */
export function countMatches(source: string, patterns: readonly string[]): number {
  return patterns.reduce((sum, pattern) => sum + [...source.matchAll(compiled(pattern))].length, 0);
}

function compiled(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'gmu');
  } catch (error) {
    throw new Error(`'${pattern}' is no regular expression: ${(error as Error).message}`, { cause: error });
  }
}
