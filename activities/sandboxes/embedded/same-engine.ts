/** Which digests of the embedded engine stand for the same verdicts. */

/** Digest of the current sources. */
const engine = 'd46616672373dd4a2b0adb2d50dccd2cedaa9f1284859f62bd896b9e048655be';

/**
 * Digests of child sources that differ only in wording and layout, or in being built: they count as the same engine, so
 * that a run can continue after such a change, and its verdicts can be mixed. A change to `sandbox/embedded` or the
 * interpreter that a program can notice makes another engine: then empty this list. A test checks the engine of the
 * current sources.
 */
const sameAs: Readonly<Record<string, readonly string[]>> = {
  [engine]: [
    // Built.
    '9a0e925c5bc673661ca4329b18624da86b47eabd09de0537d3bc85206297292d',
  ],
};

/**
 * Of an engine, an earlier one as which it can judge too, so that runs which were planned for that one go on. That of
 * version 0.1 differs in one thing: a program that needs what the interpreter cannot do (`sandbox/embedded/lacks.ts`)
 * ends with the exception that it gets.
 */
const judgesAs: Readonly<Record<string, string>> = {
  [engine]: '3f936224b93c1bb655b4e2cd693f901b414aa346e16c3c4e60e54fb512a75c30',
};

/**
 * The digest that identifies an engine.
 * @param digest SHA-256 of the interpreter and the child's own files
 */
export const engineDigest = (digest: string): string =>
  Object.entries(sameAs).find(([, others]) => others.includes(digest))?.[0] ?? digest;

/** As which engine programs are judged: the earlier one only in a run that was planned for it. */
export function judgedAs(
  engine: string,
  planned: string | undefined,
): { readonly imageDigest: string; readonly tellsLacks: boolean } {
  const earlier = judgesAs[engine];
  return earlier !== undefined && earlier === planned
    ? { imageDigest: earlier, tellsLacks: false }
    : { imageDigest: engine, tellsLacks: true };
}
