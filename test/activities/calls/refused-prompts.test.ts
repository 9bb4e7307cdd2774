/** A prompt that an endpoint refused as too long costs nothing; an endpoint that reports zeros does not count. */
import { expect, test } from 'vitest';
import { chargeOf } from '../../../activities/calls/call.ts';
import { plausibleReplies } from '../../../activities/calls/plausible-replies.ts';
import { priceOf } from '../../../activities/calls/prices.ts';
import { replyWithout } from '../../../activities/providers/openai-body.ts';
import type { ChatReply } from '../../../schemas/chat.ts';

const price = { inputUsdPerMillion: 1, outputUsdPerMillion: 1 };
const model = { id: 'a', provider: 'oai', strictVersion: false, study: true, price };
const charged = (reply: ChatReply) => {
  const [first = reply] = plausibleReplies([reply], { input: 600, output: 1_016, window: 131_072 });
  return chargeOf({ free: false, price: priceOf(model, undefined) }, first, { estimatedUsd: 0.5 }, new Date());
};
const counts = (usd: number, basis: string) => ({ usd, basis });

// Red before: charged at the most that the call can cost, as an impossible usage.
test('a prompt that is too long for the model is not charged', () => {
  const charge = charged(replyWithout('prompt_too_long', 0));
  expect(charge).toMatchObject({ ...counts(0, 'reported'), inputTokens: 0, outputTokens: 0, usageReported: null });
});

test('a refusal of such a prompt that reports a usage is charged by it', () => {
  const reply = { ...replyWithout('prompt_too_long', 0), inputTokens: 400, outputTokens: 100 };
  expect(charged(reply)).toMatchObject({ ...counts(0.0005, 'reported'), usageReported: null });
});

test('an answer of an endpoint that reports zeros is charged at the most', () => {
  const reply: ChatReply = { ...replyWithout('prompt_too_long', 0), finishReason: 'stop', text: 'def f(): ...' };
  expect(charged(reply)).toMatchObject(counts(0.5, 'estimated'));
});
