/** What an endpoint sent that could not be: a replay of the answer says the same of it. */
import { expect, test } from 'vitest';
import { plausibleReplies } from '../../../activities/calls/plausible-replies.ts';
import { lineOfReply, replayLineSchema, replyOfLine } from '../../../activities/providers/replay-line.ts';
import type { ChatReply } from '../../../schemas/chat.ts';

const bounds = { input: 100, output: 50, window: 100 };
const sent: ChatReply = {
  ...({ text: 'return x', finishReason: 'stop', returnedModel: 'm', fingerprint: null, logprobs: null } as const),
  ...{ inputTokens: 9, cachedTokens: null, outputTokens: 3, reasoningTokens: null },
};
const stored = (reply: ChatReply): ChatReply => plausibleReplies([reply], bounds)[0] as ChatReply;
const replayed = (reply: ChatReply): ChatReply =>
  stored(replyOfLine(replayLineSchema.parse(JSON.parse(JSON.stringify(lineOfReply(reply))))));

// Red before: null without a reason, as if none had come.
test('log-probabilities that were rejected', () => {
  const logprobFault = 'a log-probability is a number of at most 0, got 0.5';
  expect(replayed({ ...sent, logprobFault })).toEqual({ ...sent, logprobFault });
});

test('log-probabilities that are too many for the answer', () => {
  const first = stored({ ...sent, logprobs: Array.from({ length: 40 }, () => -1) });
  expect(first).toMatchObject({ logprobs: null, logprobFault: expect.stringContaining('got 40 for 3 tokens') });
  expect(replayed(first)).toEqual(first);
});

// Red before: the replay held the three values against the 50 tokens that replace the reported count.
test('log-probabilities of an answer whose reported tokens are impossible', () => {
  const first = stored({ ...sent, outputTokens: 1e15, logprobs: [-1, -2, -3] });
  expect(first).toMatchObject({ logprobs: [-1, -2, -3], usageReported: expect.stringContaining('1000000000000000') });
  const { logprobs, outputTokens, usageReported } = first;
  expect(replayed(first)).toMatchObject({ logprobs, outputTokens, usageReported });
});

// Red before: a probability above 1 counted.
test('a recording with an impossible log-probability is read as an endpoint is', () => {
  expect(replyOfLine({ reply: 'return x', logprobs: [-1, 0.5] })).toMatchObject({
    ...{ logprobs: null, logprobFault: 'a log-probability is a number of at most 0, got 0.5' },
  });
});
