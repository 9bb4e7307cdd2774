/** What limits count: requests, and tokens in total or apart as input and output. */

export const units = ['requests', 'tokens', 'inputTokens', 'outputTokens'] as const;
export type Unit = (typeof units)[number];

/** Tokens of a call. Output includes thoughts. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

export const noTokens: Tokens = { input: 0, output: 0 };

/** One call, or what it used beyond what was charged, by unit. */
export type Cost = Readonly<Record<Unit, number>>;

export const costOf = (requests: number, { input, output }: Tokens): Cost => ({
  requests,
  tokens: input + output,
  inputTokens: input,
  outputTokens: output,
});

export const unitWords: Readonly<Record<Unit, string>> = {
  requests: 'requests',
  tokens: 'tokens',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
};
