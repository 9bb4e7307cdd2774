/** A reply takes little more room than its text, and comes back as it was. */
import { expect, test } from 'vitest';
import { packBody } from '../../../../../activities/storage/ledger/bodies/stored-body.ts';
import { packReply, unpackReply } from '../../../../../activities/storage/ledger/bodies/stored-reply.ts';
import type { ChatReply } from '../../../../../schemas/chat.ts';
import { reply } from '../ledger-calls.ts';

const full: ChatReply = {
  ...reply('def f(): return 1'),
  ...{ reasoning: 'Let me think.', backend: 'Somewhere', requestId: 'req-1', headers: { 'x-request-id': 'req-1' } },
  ...{ cacheWriteTokens: 3, inputAudioTokens: null, usageReported: '{}', logprobFault: 'too many' },
};

test.each([
  ['a plain reply', reply('def f(): return 1')],
  ['a reply with everything', full],
  ['a reply without text', { ...reply(''), returnedModel: null, fingerprint: null, logprobs: null }],
  ['a long reply', { ...full, text: 'def f(): return 1\n'.repeat(400) }],
])('%s comes back as it was', (_name, one: ChatReply) => {
  expect(unpackReply(packReply(one), 'it')).toEqual(one);
});

test('a reply of a ledger of format 3 is read', () => {
  expect(unpackReply(packBody(full), 'it')).toEqual(full);
});

// Counted by hand: ["…","stop","m",null,300,null,250,null,null] without the text.
test('a reply of 400 characters takes 43 bytes besides', () => {
  const plain: ChatReply = {
    ...{ text: 'x'.repeat(400), finishReason: 'stop', returnedModel: 'm', fingerprint: null },
    ...{ inputTokens: 300, cachedTokens: null, outputTokens: 250, reasoningTokens: null, logprobs: null },
  };
  expect(packReply(plain).body.length).toBe(443);
});
