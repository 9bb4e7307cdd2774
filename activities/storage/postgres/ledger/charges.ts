/** Money and tokens of a call, as the server's functions take them. */
import type { Charge } from '../../ledger/records.ts';

/** `tokens` is null if the endpoint reported no usage and nothing is assumed. */
export function paid({ usd, basis, assumedTokens, ...facts }: Charge) {
  const { inputTokens, outputTokens } = facts;
  const tokens =
    inputTokens === null && outputTokens === null ? (assumedTokens ?? null) : (inputTokens ?? 0) + (outputTokens ?? 0);
  return {
    usd: usd === null ? null : checkedUsd(usd),
    nano_usd: nanoOf(usd),
    basis,
    tokens: tokens === null ? null : Math.min(tokens, Number.MAX_SAFE_INTEGER),
    facts,
  };
}

/** Throws on a negative or non-finite amount. */
export function checkedUsd(usd: number): number {
  if (usd >= 0 && Number.isFinite(usd)) return usd;
  throw new RangeError(`an amount in USD must be finite and not negative, got ${usd}`);
}

/** In whole 1e-9 USD; capped at nine million dollars. */
const nanoOf = (usd: number | null): number | null =>
  usd === null ? null : Math.min(Math.round(checkedUsd(usd) * 1e9), Number.MAX_SAFE_INTEGER);
