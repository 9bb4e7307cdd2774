/** What a fault of an object store means, and trying again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../../../domain/counted.ts';
import { ServerError } from '../../../domain/errors.ts';
import { type Silence, SilentError, silentFault } from './silence.ts';

const tries = 8;
/** Bytes that change on their way do so once; a damaged object stays damaged. */
const triesOfDamaged = 3;
const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** For a request with its body: 256 MB at 4 MB/s. */
const withinMs = 64_000;
/** The longest that all tries of one request take. */
export const triesMs = tries * (withinMs + longestPauseMs);

/** The status of an answer; undefined if there was none. */
const statusOf = (error: unknown): number | undefined =>
  (error as { readonly $metadata?: { readonly httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode;

/** No answer, or one that says to come back: a conflict of conditional writes, too many requests, a server's fault. */
function mayPass(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 200 || status === 409 || status === 429 || status >= 500;
}

/**
 * Calls `request` until it is answered for good; each try has a time limit. Every request must be one that may happen
 * twice. Rejects with the last fault, and what was tried; or at once when the store was silent for too long.
 */
export function retried<T>(
  what: string,
  silence: Silence,
  request: (signal: AbortSignal, heard: () => void) => Promise<T>,
): Promise<T> {
  return silence.during(async () => {
    const tooLong = silence.signal();
    for (let attempt = 1, pauseMs = firstPauseMs; ; attempt += 1, pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        const answer = await request(AbortSignal.any([tooLong, AbortSignal.timeout(withinMs)]), silence.heard);
        silence.heard();
        return answer;
      } catch (error) {
        if (tooLong.reason instanceof SilentError) throw silentFault(what, tooLong.reason);
        if (!mayPass(error)) silence.heard();
        if (!mayPass(error)) throw failed(what, attempt, error);
        if (attempt === (isDamaged(error) ? triesOfDamaged : tries)) throw failed(what, attempt, error);
        await sleep(pauseMs * (0.5 + Math.random()));
      }
    }
  });
}

function failed(what: string, attempt: number, cause: unknown): unknown {
  if (!(cause instanceof Error) || isRefused(cause)) return cause;
  const status = statusOf(cause);
  const answer = status === undefined ? 'no answer' : `HTTP ${status}`;
  return new ServerError(
    `${what}: ${answer} (${cause.name}: ${cause.message}), tried ${counted(attempt, 'time')}`,
    cause,
  );
}

/** The bytes are not those of the checksum that the store keeps for them. */
export const isDamaged = (error: unknown): boolean =>
  error instanceof Error && (error.message.startsWith('Checksum mismatch') || isDamaged(error.cause));

/** There is no such object. A missing bucket is another fault. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && ['NoSuchKey', 'NotFound'].includes(error.name) && statusOf(error) === 404;

/** The condition of a write does not hold; `If-Match` may also say that there is nothing to match. */
export const isRefused = (error: unknown): boolean => statusOf(error) === 412 || isMissing(error);
