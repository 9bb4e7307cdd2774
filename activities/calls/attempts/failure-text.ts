/** What the ledger keeps of a failed attempt, and what a later attempt at its step makes of that. */
import type { ProviderFault } from '../../providers/provider.ts';

/** A step itself waits for an account that is closed for up to this long. */
export const longestWaitMs = 60_000;

const refusedSeveral = 'n refused';
const closedFor = (ms: number): string => `; it asks to wait ${Math.ceil(ms / 1000)} s`;
const endsClosed = /; it asks to wait \d+ s$/;

/** The text before the colon is the key by which failures are counted. */
export function failureText(fault: ProviderFault): string {
  const { kind, httpStatus, message, retryAfterMs } = fault;
  if (kind === 'single') return `${refusedSeveral}: ${message}`;
  if (isBilledRefusal(fault)) return `HTTP ${httpStatus}, billed: ${message}`;
  const closed = retryAfterMs !== null && retryAfterMs > longestWaitMs ? closedFor(retryAfterMs) : '';
  return `${httpStatus === null ? 'no usable answer' : `HTTP ${httpStatus}`}: ${message}${closed}`;
}

/** A failure with a status after something was generated: each attempt costs, so it is one of those that a call has. */
export const isBilledRefusal = ({ httpStatus, maybeBilled }: ProviderFault): boolean =>
  httpStatus !== null && maybeBilled;

/**
 * Whether a failed attempt is one of those that a call has. Refusals for which the step waits, or asks in another way,
 * are not: they cost nothing, and last as long as the account is closed.
 */
export const isAttempt = (failure: string): boolean =>
  !failure.startsWith('HTTP 429:') && !failure.startsWith(`${refusedSeveral}:`) && !endsClosed.test(failure);
