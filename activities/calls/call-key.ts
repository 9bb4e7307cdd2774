/** Identity of a call: endpoint, question and draw. Retries and resumes find a stored reply by it. */
import { sha256 } from '../../domain/ids.ts';
import type { At } from '../../studies/cell-state.ts';

/**
 * Each loop, re-ask, sample and repetition is a separate draw, so that equal questions at
 * temperature 0 are really asked again.
 * @param draw the study's name for a further difference; absent if there is none
 */
export const callKey = (
  endpointIdentity: string,
  requestSha256: string,
  at: At,
  repetition: number,
  draw?: string,
): string =>
  sha256(
    [
      endpointIdentity,
      requestSha256,
      at.loop,
      at.ask,
      at.sample,
      repetition,
      ...(draw === undefined ? [] : [draw]),
    ].join('\0'),
  );
