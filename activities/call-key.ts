/** What makes a call the same call: where it goes, what is asked, and which draw of it. A retry and a resume find its reply again. */
import { sha256 } from '../domain/ids.ts';
import type { At } from '../studies/study.ts';

/**
 * A loop, a re-ask, a sample and a repetition are each a draw of their own, so that equal questions at temperature 0 are really asked again.
 * @param draw what else makes it one, by the study's word; absent where nothing does
 */
export const callKey = (endpointIdentity: string, requestSha256: string, at: At, repetition: number, draw?: string): string =>
  sha256([endpointIdentity, requestSha256, at.loop, at.ask, at.sample, repetition, ...(draw === undefined ? [] : [draw])].join('\0'));
