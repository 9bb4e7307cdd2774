import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder } from '../../workflows/in-order.ts';

test('results keep the order of the items and no more than the limit run at a time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      async (turns, limit) => {
        let running = 0;
        let most = 0;
        const results = await inOrder(limit, turns, async (count) => {
          running += 1;
          most = Math.max(most, running);
          for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
          running -= 1;
          return count * 2;
        });
        expect(results).toEqual(turns.map((count) => count * 2));
        expect(most).toBe(Math.min(limit, turns.length));
      },
    ),
  );
});
