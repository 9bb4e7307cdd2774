/**
 * One of several processes that ask calls of a run on PostgreSQL: `calls-process.ts STORE NAME EPOCH MS CONCURRENCY`.
 * Each call is reserved and its reply of about 1 KB accepted. Prints how many it did within the time.
 */
import { readFileSync } from 'node:fs';
import { openPostgresLedger } from '../../activities/storage/postgres/ledger/open-ledger.ts';
import { openPostgres } from '../../activities/storage/postgres/postgres.ts';
import { sha256 } from '../../domain/ids.ts';

const [store = '', name = '', epoch, forMs, concurrency] = process.argv.slice(2);
const database = openPostgres(store);
const calls = await openPostgresLedger(database, 'bench');
const fence = await calls.openUnit(name, Number(epoch));
const text = readFileSync(new URL('../../schemas/tables.ts', import.meta.url), 'utf8').slice(0, 1_000);
const until = performance.now() + Number(forMs);
let done = 0;
let next = 0;

const ask = async (): Promise<void> => {
  while (performance.now() < until) {
    const cell = next++;
    const reservation = await calls.reserve(fence, {
      key: { page: name, cell, step: 'generate', loop: 1, ask: 0, sample: 0 },
      ...{ callKeys: [sha256(`${name}/${cell}`)], model: 'm', answeringModel: 'm', parametersSent: '{}' },
      ...{ maxUsd: 0.01, estimatedUsd: 0.002, estimatedTokens: 500, maxTokens: 1000, free: false },
    });
    if (reservation.kind !== 'go') throw new Error(`expected go, got ${reservation.kind}`);
    await calls.commit(
      reservation.intent,
      [
        {
          ...{ text: `${cell} ${text}`, finishReason: 'stop', returnedModel: 'm', fingerprint: null, logprobs: null },
          ...{ inputTokens: 300, cachedTokens: null, outputTokens: 250, reasoningTokens: null },
        },
      ],
      {
        ...{ inputTokens: 300, cachedTokens: null, outputTokens: 250, reasoningTokens: null },
        ...{ usd: 0.0012, basis: 'reported', priceDate: '2026-11-01' },
      },
      1_000,
    );
    done += 1;
  }
};

await Promise.all(Array.from({ length: Number(concurrency) }, ask));
await database.close();
console.log(done);
