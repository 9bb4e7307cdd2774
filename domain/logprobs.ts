/** Whether log-probabilities can be those of an answer's tokens. */

/** Some endpoints round to a little above 0. */
const roundedZero = 1e-3;

export interface Logprobs {
  readonly logprobs: readonly number[] | null;
  /** Why those that were given are not believed; absent where they are, or none were given. */
  readonly logprobFault?: string;
}

/** Every value is a number of at most 0, or none of them counts. @param given null for what is no number */
export function validLogprobs(given: readonly (number | null)[]): Logprobs {
  if (given.length === 0) return { logprobs: null };
  const wrong = given.find((value) => value === null || !Number.isFinite(value) || value > roundedZero);
  if (wrong === undefined) return { logprobs: given.map((value) => Math.min(0, value ?? 0)) };
  const text = wrong === null ? 'what is not a number' : String(wrong);
  return { logprobs: null, logprobFault: `a log-probability is a number of at most 0, got ${text}` };
}

/** Endpoints differ in whether marks of beginning and end are counted or have a value. */
const slack = (tokens: number): number => Math.max(4, 0.1 * tokens);
/** Bytes of a token, on average over an answer, at most: code of many spaces comes to 8. */
const bytesPerToken = 32;

export interface AnsweredTokens {
  readonly text: string;
  /** Of this answer alone, with its hidden reasoning; null where that is not known. */
  readonly tokens: number | null;
  readonly reasoning: number | null;
}

/** Why so many values cannot be those of the answer's tokens; null where they can. */
export function countFault(values: number, { text, tokens, reasoning }: AnsweredTokens): string | null {
  const bytes = new TextEncoder().encode(text).length;
  const [least, most] = tokens === null ? [bytes / bytesPerToken, bytes] : [tokens - (reasoning ?? 0), tokens];
  if (values >= least - slack(least) && values <= most + slack(most)) return null;
  const of = tokens === null ? `${bytes} bytes of text` : `${tokens} tokens`;
  return `each token of an answer has one log-probability, got ${values} for ${of}`;
}
