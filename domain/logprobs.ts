/** Checks whether log-probabilities can be those of an answer's tokens. */

/** Some endpoints round to values slightly above 0. */
const roundedZero = 1e-3;

export interface Logprobs {
  readonly logprobs: readonly number[] | null;
  /** Why the given values are rejected; absent if they are accepted or none were given. */
  readonly logprobFault?: string;
}

/**
 * All values must be numbers of at most 0, else none of them counts. @param given null for values that are not numbers
 */
export function validLogprobs(given: readonly (number | null)[]): Logprobs {
  if (given.length === 0) return { logprobs: null };
  const wrong = given.find((value) => value === null || !Number.isFinite(value) || value > roundedZero);
  if (wrong === undefined) return { logprobs: given.map((value) => Math.min(0, value ?? 0)) };
  const text = wrong === null ? 'something that is not a number' : String(wrong);
  return { logprobs: null, logprobFault: `a log-probability is a number of at most 0, got ${text}` };
}

/** Endpoints differ in whether begin and end tokens are counted or have a value. */
const slack = (tokens: number): number => Math.max(4, 0.1 * tokens);
/** Most bytes per token, on average over an answer; code with many spaces reaches 8. */
const bytesPerToken = 32;

export interface AnsweredTokens {
  readonly text: string;
  /** Tokens of this answer alone, with its hidden reasoning; null if unknown. */
  readonly tokens: number | null;
  readonly reasoning: number | null;
}

/** Why this number of values does not fit the answer's tokens; null if it does. */
export function countFault(values: number, { text, tokens, reasoning }: AnsweredTokens): string | null {
  const bytes = new TextEncoder().encode(text).length;
  const [least, most] = tokens === null ? [bytes / bytesPerToken, bytes] : [tokens - (reasoning ?? 0), tokens];
  if (values >= least - slack(least) && values <= most + slack(most)) return null;
  const of = tokens === null ? `${bytes} bytes of text` : `${tokens} tokens`;
  return `each token of an answer has one log-probability, got ${values} for ${of}`;
}
