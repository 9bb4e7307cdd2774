/** Tells Python code from its comments and string literals. */

const literal = /#[^\n]*|("""|''')[\s\S]*?\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

/**
 * The source with comments blanked and the inside of strings replaced by underscores; offsets and line breaks stay.
 */
export const blankOutLiterals = (source: string): string =>
  source.replace(literal, (text) =>
    text.startsWith('#') ? text.replace(/[^\n]/g, ' ') : text.replace(/(?<!^)[^\n](?!$)/g, '_'),
  );
