import { expect, test } from 'vitest';
import { callKey } from '../../../activities/calls/call-key.ts';

const at = { step: 'generate', loop: 1, ask: 0, sample: 0 } as const;
const key = callKey('https://h/v1', 'r', at, 0);

test('the same question of the same draw is the same call, whichever step asks it', () => {
  expect(callKey('https://h/v1', 'r', { ...at, step: 'summarize' }, 0)).toBe(key);
});

test('endpoint, request, loop, ask, sample, repetition and draw name each make another call', () => {
  const others = [
    callKey('https://other/v1', 'r', at, 0),
    callKey('https://h/v1', 's', at, 0),
    callKey('https://h/v1', 'r', { ...at, loop: 2 }, 0),
    callKey('https://h/v1', 'r', { ...at, ask: 1 }, 0),
    callKey('https://h/v1', 'r', { ...at, sample: 1 }, 0),
    callKey('https://h/v1', 'r', at, 1),
    callKey('https://h/v1', 'r', at, 0, 'case/default'),
  ];
  expect(new Set([key, ...others]).size).toBe(8);
});
