/** `pause` and `cancel` of a run whose questions are in batches at an endpoint. */
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import { stopFound } from '../../../cli/commands/control.ts';
import { createTerminal } from '../../../cli/output/terminal.ts';
import { slug } from '../../../domain/ids.ts';
import { planFolder, priced } from '../../activities/estimate/planned-spec.ts';
import { call, keyOf } from '../../activities/storage/ledger/ledger-calls.ts';

const studies = '[{ name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: 1 } }]';
const page = `${slug('loops')}/${slug('a')}/r1p0000`;

interface Asked {
  /** Questions of one batch each, which the endpoint has been asked to make. */
  readonly sent: readonly number[];
  /** Questions of a batch that was not sent yet. */
  readonly unsent?: number;
  readonly calls?: number;
}

/** What `pause` says while a process works on the run. */
async function said({ sent, unsent = 0, calls = 0 }: Asked) {
  const { home, ledger } = await planFolder().begin({ tasks: 9, models: `[{ id: a, ${priced(0, 1000)} }]`, studies });
  const fence = await ledger.openUnit(`${page}/step`, await ledger.takeOver('a test'));
  let cell = 0;
  const next = () => {
    const at = cell++;
    const key = { page, cell: at, step: 'generate', loop: 1, ask: 0, sample: 0 } as const;
    return call(at, { key, callKeys: [keyOf(at)], model: 'a', answeringModel: 'a' });
  };
  for (const [place, questions] of [...sent, unsent].entries()) {
    if (questions === 0) continue;
    for (let one = 0; one < questions; one += 1) await ledger.reserveInBatch(fence, next());
    const batch = await ledger.makeBatch(fence, 'a', `uuid-${place}`, questions);
    if (place < sent.length) await ledger.changeBatch(fence, batch.id, { createAskedMs: 1, endpointId: `b${place}` });
  }
  for (let one = 0; one < calls; one += 1) await ledger.reserve(fence, next());
  await ledger.close();
  const owned = await ownerLock(home.folder).take();
  const lines: string[] = [];
  const documents: unknown[] = [];
  const say = (line: string): void => void lines.push(line);
  const terminal = { ...createTerminal(false), out: say, note: say, document: (one: unknown) => documents.push(one) };
  await stopFound('pause', 'planned', { home, manifest: await home.manifest() }, dirname(home.folder), terminal);
  await owned?.release();
  return { text: lines.join('\n'), document: documents[0] };
}

const closing = (it: string, its: string): string =>
  `the run cancels ${it}, waits up to two minutes for what ${its} answered, and ends`;

// Red before: "none is in flight, so the run ends", while the run waited for the end of the batch.
test('a run waits for its batches, and pause says so', async () => {
  const one = await said({ sent: [3] });
  expect(one.text).toContain(
    `paused: no new calls are sent; 3 questions are in 1 batch at the endpoint: ${closing('it', 'it has')}. ` +
      'Unless it ends',
  );
  expect(one.document).toMatchObject({ inFlight: 0, inBatches: 3 });
  const more = await said({ sent: [2, 1], calls: 2 });
  expect(more.text).toContain(
    'no new calls are sent; 2 calls are still in flight, and their answers are kept; 3 questions are in 2 batches at ' +
      `the endpoint: ${closing('them', 'they have')}. `,
  );
  expect(more.document).toMatchObject({ inFlight: 2, inBatches: 3 });
});

test('a batch that was not sent is only given back: nothing is waited for', async () => {
  const { text, document } = await said({ sent: [], unsent: 2 });
  expect(text).toContain('no new calls are sent; none is in flight, so the run ends. ');
  expect(document).toMatchObject({ inBatches: 0 });
});

test('a single question in a batch', async () => {
  expect((await said({ sent: [1] })).text).toContain('sent; 1 question is in 1 batch at the endpoint: ');
});
