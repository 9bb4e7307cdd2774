/** SQL that begins with a comment looks like an option to the parser of the command line. */

/** An argument that begins with `--` and has a space is SQL: no option has one. It goes behind a `--` of its own. */
export function withSqlApart(argv: readonly string[]): string[] {
  const [node = '', script = '', verb, ...words] = argv;
  const sql = words.find((word) => /^--[^=]*\s/.test(word));
  if (verb !== 'query' || sql === undefined || words.includes('--')) return [...argv];
  return [node, script, verb, ...words.filter((word) => word !== sql), '--', sql];
}
