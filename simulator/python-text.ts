/** Where Python text is code, and where it is only quoted. */

const literal = /#[^\n]*|("""|''')[\s\S]*?\1|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;

/** The source with the inside of comments and strings replaced by underscores, so that offsets stay and line breaks too. */
export const blankOutLiterals = (source: string): string =>
  source.replace(literal, (text) => (text.startsWith('#') ? text.replace(/[^\n]/g, ' ') : text.replace(/(?<!^)[^\n](?!$)/g, '_')));
