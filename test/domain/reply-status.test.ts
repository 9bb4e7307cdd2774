import { expect, test } from 'vitest';
import { replyStatusOf } from '../../domain/reply-status.ts';

test.each([
  ['code', 'stop', 'ok'],
  ['code', 'other', 'ok'],
  ['co', 'length', 'truncated'],
  [' \n', 'stop', 'empty'],
  ['', 'length', 'empty'],
  ['I cannot', 'refusal', 'refusal'],
  ['', 'content_filter', 'content_filter'],
] as const)('%j that ended by %s is %s', (text, finishReason, status) => {
  expect(replyStatusOf({ text, finishReason })).toBe(status);
});
