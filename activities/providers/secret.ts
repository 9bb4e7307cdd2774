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
