/**
 * One of several processes that ask the same calls of one ledger; it may be killed at any moment. Each cell has
 * `samples` calls, of which a request asks for one or more, and is answered for one or more. Arguments: ledger address,
 * unit, epoch, cells, order seed, samples. Prints `<cell> <sample> <winning text>` after each acknowledged commit, then
 * `done`.
 */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { seedOf, uniform } from '../../../domain/random.ts';
import { call, charge, keyOf, reply } from '../../activities/storage/ledger/ledger-calls.ts';
import { openLedgerAt } from './ledger-address.ts';

const [path = '', unit = '', epoch = '', cellCount = '', seed = '', samples = ''] = process.argv.slice(2);
const random = uniform(seedOf('order', seed));
const ledger = await openLedgerAt(path);
const fence = await ledger.openUnit(unit, Number(epoch));
const say = (line: string): number => writeSync(1, `${line}\n`);

/** 1 to `most`. */
const some = (most: number): number => 1 + Math.floor(random() * most);

async function ask(cell: number): Promise<void> {
  const known = new Set<number>();
  for (let first = 0; first < Number(samples); first = known.has(first) ? first + 1 : first) {
    if (known.has(first)) continue;
    const n = some(Number(samples) - first);
    const callKeys = Array.from({ length: n }, (_, place) => keyOf(`${cell}/${first + place}`));
    const reservation = await ledger.reserve(
      fence,
      call(cell, { key: { ...call(cell).key, sample: first }, callKeys }),
    );
    if (reservation.kind === 'stop') throw new Error(`stopped: ${reservation.reason}`);
    if (reservation.kind === 'busy') await pause(5);
    if (reservation.kind === 'answered')
      for (const [place, one] of reservation.replies.entries()) if (one) known.add(first + place);
    if (reservation.kind !== 'go') continue;
    await pause(random() * 4);
    const replies = Array.from({ length: some(n) }, (_, place) => reply(`from ${process.pid}, ${place}`));
    for (const [place, winner] of (await ledger.commit(reservation.intent, replies, charge(0.01), 1)).entries()) {
      if (winner === null) continue;
      known.add(first + place);
      say(`${cell} ${first + place} ${winner.reply.text}`);
    }
  }
}

const cells = Array.from({ length: Number(cellCount) }, (_, cell) => ({ cell, at: random() })).sort(
  (a, b) => a.at - b.at,
);
const worker = async (): Promise<void> => {
  for (let next = cells.pop(); next !== undefined; next = cells.pop()) await ask(next.cell);
};
await Promise.all(Array.from({ length: 8 }, worker));
await ledger.close();
say('done');
