/** What `status` says of calls that were in flight when the process of a run ended. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { CallToReserve } from '../../../activities/storage/ledger/call-book.ts';
import { ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import { status } from '../../../cli/commands/status.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { slug } from '../../../domain/ids.ts';
import { planFolder, priced } from '../../activities/estimate/planned-spec.ts';
import { call, keyOf } from '../../activities/storage/ledger/ledger-calls.ts';

const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]';
const page = `${slug('loops')}/${slug('a')}/r1p0000`;

/** A run whose process asked these calls and was killed. */
async function killed(calls: readonly Partial<CallToReserve>[]) {
  const { home, ledger } = await planFolder().begin({ tasks: 3, models: `[{ id: a, ${priced(0, 1000)} }]`, studies });
  const fence = await ledger.openUnit(`${page}/step`, await ledger.takeOver('a test'));
  for (const [cell, more] of calls.entries()) {
    const key = { page, cell, step: 'generate', loop: 1, ask: 0, sample: 0 } as const;
    await ledger.reserve(fence, call(cell, { key, callKeys: [keyOf(cell)], model: 'a', answeringModel: 'a', ...more }));
  }
  await ledger.close();
  return home.folder;
}

async function shown(folder: string): Promise<{ readonly text: string; readonly left: unknown }> {
  const said: string[] = [];
  const documents: unknown[] = [];
  await status(
    'planned',
    { runsDir: dirname(folder) },
    {
      ...createTerminal(false),
      out: (text) => void said.push(text),
      note: () => {},
      document: (value) => void documents.push(value),
    },
  );
  return { text: said.join('\n'), left: (documents[0] as { readonly leftInFlight: unknown }).leftInFlight };
}

// Red before: "spend $0.00 · in flight 3 · lost 0", with no process, and not a word of what is charged later.
test('calls of a killed process are told with what they may add to the spend', async () => {
  const folder = await killed([{}, {}, { answeringModel: 'judge', estimatedUsd: null }]);
  const { text, left } = await shown(folder);
  expect(text).toMatch(/^spend \$0\.00.* · in flight 0 · repeated 0 · lost 0$/m);
  expect(text).toContain(
    '\n3 calls were in flight when its process ended: up to $0.040 more, and the price of 1 is not known; charged at ' +
      'the next resume, which asks again\n',
  );
  expect(left).toEqual({ calls: 3, usd: 0.04, callsOfUnknownPrice: 1 });
});

test('calls that cost nothing are told without money, and those of a living process not at all', async () => {
  const folder = await killed([{ free: true }]);
  expect((await shown(folder)).text).toContain(
    '1 call was in flight when its process ended: the next resume asks again',
  );
  const owned = await ownerLock(folder).take();
  const { text, left } = await shown(folder);
  expect([text.includes('in flight 1 ·'), text.includes('its process ended'), left]).toEqual([true, false, null]);
  await owned?.release();
  expect((await shown(await killed([]))).left).toBeNull();
});
