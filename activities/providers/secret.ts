/**
 * Reads keys, which specs name and the environment holds. No key may appear in a message; HTTP clients quote a header
 * value that they reject, so values are checked here first.
 */

export type Secret = { readonly value: string } | { readonly fault: string };

/** Characters that RFC 9110 allows in a field value. */
const sendable = /^[\t -~\u0080-\u00ff]+$/;

/** Trimmed, as headers are sent: a key read from a file may end with a line feed. */
export function readSecret(variable: string, env: NodeJS.ProcessEnv): Secret {
  const value = env[variable]?.trim() ?? '';
  if (value === '') return { fault: 'is not set' };
  if (!sendable.test(value)) return { fault: 'has a line break or another character that is not allowed in a header' };
  return { value };
}

const longestName = 19;
const words = /^(?:[a-z]+(?:_+[a-z]+)+|[A-Z]+(?:_+[A-Z]+)+)$/;

/**
 * Whether a key may be a name in a program, such as `not_needed`, which people set where no key is needed: short, words
 * of one case, no digit. It stays in answers. Keys that endpoints give out have digits, or letters of both cases.
 */
export const mayBeName = (key: string): boolean => key.length <= longestName && words.test(key);
