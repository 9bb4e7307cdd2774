/** A question is put together once where its call starts at once, and again where it waited. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { keptForNow } from '../../../activities/calls/late-requests.ts';

test('what is made is kept for two turns of the event loop, and no longer', async () => {
  let made = 0;
  const put = keptForNow(() => ({ number: ++made }));
  const first = put();
  await turn();
  expect(put()).toBe(first);
  await turn();
  await turn();
  expect(put()).toEqual({ number: 2 });
  expect(made).toBe(2);
});
