/** What a fault of PostgreSQL means, and trying again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerError } from '../../../domain/errors.ts';

/**
 * The transaction was rolled back and may be run again: serialization_failure, deadlock_detected, lock_not_available.
 */
const conflicts = new Set(['40001', '40P01', '55P03']);

/** The server ends, starts, or has no room for the session; or it ended an idle one. */
const endedByServer = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25P03']);

const network = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);

/** The library has no codes for these. */
const clientMessage = /^Connection terminated|^Query read timeout|timeout exceeded when trying to connect|^Client has/;

const codeOf = (error: unknown): string => (error as { readonly code?: string } | null)?.code ?? '';

export const isConflict = (error: unknown): boolean => conflicts.has(codeOf(error));

/** The session is lost, or was never had. What it had not committed is rolled back. */
function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (endedByServer.has(code) || network.has(code) || code.startsWith('08')) return true;
  return error instanceof Error && clientMessage.test(error.message);
}

const firstPauseMs = 20;
const longestPauseMs = 2_000;

/**
 * Calls `work` until it does not meet a conflict or a lost session, or `patienceMs` are over.
 * @param patienceMs may grow while `work` is tried
 * @param isUnknown whether a try may have been stored, although its answer was lost
 */
export async function retried<T>(
  store: string,
  patienceMs: () => number,
  work: () => Promise<T>,
  isUnknown: () => boolean = () => false,
): Promise<T> {
  const startMs = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) && !isLost(error)) throw error;
      const triedMs = performance.now() - startMs;
      if (triedMs > patienceMs()) throw gaveUp(store, triedMs, error, isUnknown());
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
}

function gaveUp(store: string, triedMs: number, cause: unknown, isUnknown: boolean): Error {
  const last = cause instanceof Error ? cause.message : String(cause);
  const seconds = Math.round(triedMs / 1_000);
  const unknown = isUnknown
    ? '; a change was sent and its answer was lost, so it is unknown whether it is stored: look before you do it again'
    : '';
  return new ServerError(`${store} could not be used for ${seconds} s: ${last}${unknown}`, cause);
}
