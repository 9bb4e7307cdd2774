/** Calls on accounts, for tests. */
import type { CallOutcome } from '../../../activities/calls/accounts/call-outcome.ts';
import type { ChatReply } from '../../../schemas/chat.ts';

export const here = { endpoint: 'http://one.example/v1', keyVariable: 'KEY' };
export const never = () => false;
export const one = () => ({ input: 1, output: 0 });
export const reply: ChatReply = {
  ...{ text: 'x', finishReason: 'stop', returnedModel: null, fingerprint: null, logprobs: null },
  ...{ inputTokens: 1, cachedTokens: null, outputTokens: 1, reasoningTokens: null },
};
export const answered = async (): Promise<CallOutcome> => ({ replies: [reply] });

/** A call that is in flight until it is ended. */
export function held() {
  const end = Promise.withResolvers<CallOutcome>();
  let started = false;
  const call = (): Promise<CallOutcome> => {
    started = true;
    return end.promise;
  };
  return { call, end: end.resolve, started: () => started };
}

export async function timed(work: Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work;
  return performance.now() - startMs;
}
