/** Which words of `query RUN [RUN...] [SQL]` are runs. */
/**
 * The last of several words is SQL, unless it names a run or is a single word, which no SQL is: that one is a mistyped
 * run.
 * @param runs ids of all runs
 */
export function runsAndSql(
  runs: readonly string[],
  words: readonly string[],
): { readonly ids: readonly string[]; readonly sql: string | undefined } {
  const last = words.at(-1) ?? '';
  const isSql = words.length > 1 && !/^[\w.-]+$/.test(last) && !runs.includes(last);
  return isSql ? { ids: words.slice(0, -1), sql: last } : { ids: words, sql: undefined };
}
