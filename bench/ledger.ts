/**
 * How many calls per second the ledger reserves and commits durably, and how long it blocks the event loop.
 * Run: `node --disable-warning=ExperimentalWarning bench/ledger.ts [calls] [concurrency] [rounds]`
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { CallToReserve } from '../activities/storage/ledger/call-book.ts';
import type { Charge } from '../activities/storage/ledger/records.ts';
import type { Fence } from '../activities/storage/ledger/fence.ts';
import type { Ledger } from '../activities/storage/ledger/ledger.ts';
import { openLedger } from '../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { sha256 } from '../domain/ids.ts';
import { uniform } from '../domain/random.ts';
import type { ChatReply } from '../schemas/chat.ts';

const [calls = 20_000, concurrency = 64, rounds = 3] = process.argv.slice(2).map(Number);
const lines = readFileSync(new URL('../schemas/tables.ts', import.meta.url), 'utf8').split('\n');
const charge: Charge = {
  ...{ inputTokens: 300, cachedTokens: null, outputTokens: 250, reasoningTokens: null },
  ...{ usd: 0.0012, basis: 'reported', priceDate: '2026-11-01' },
};

/** About 1 KB of code-like text, different for each call. */
function reply(random: () => number): ChatReply {
  const text = Array.from({ length: 14 }, () => lines[Math.floor(random() * lines.length)]).join('\n');
  return {
    ...{ text, finishReason: 'stop', returnedModel: 'm', fingerprint: null, logprobs: null },
    ...{ inputTokens: 300, cachedTokens: null, outputTokens: 250, reasoningTokens: null },
  };
}

function call(index: number): CallToReserve {
  return {
    key: { page: 'p', cell: index, step: 'generate', loop: 1, ask: 0, sample: 0 },
    ...{
      callKeys: [sha256(String(index))],
      model: 'm',
      answeringModel: 'm',
      parametersSent: '{"temperature":0.8,"max_tokens":512}',
    },
    ...{ maxUsd: 0.01, estimatedUsd: 0.002, estimatedTokens: 500, maxTokens: 1000, free: false },
  };
}

async function ask(ledger: Ledger, fence: Fence, index: number, answer: ChatReply): Promise<void> {
  const reservation = await ledger.reserve(fence, call(index));
  if (reservation.kind !== 'go') throw new Error(`call ${index}: expected go, got ${reservation.kind}`);
  await ledger.commit(reservation.intent, [answer], charge, 1000);
}

async function round(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const ledger = openLedger(join(folder, 'ledger.sqlite'));
  await ledger.addPages([{ page: 'p', study: 's', model: 'm', cells: calls, revision: 1 }]);
  const fence = await ledger.openUnit('p/generate', await ledger.takeOver('bench'));
  const random = uniform(1);
  const replies = Array.from({ length: 1000 }, () => reply(random));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const cpuStart = process.cpuUsage();
  const start = performance.now();
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < calls; index = next++)
      await ask(ledger, fence, index, replies[index % replies.length] as ChatReply);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const seconds = (performance.now() - start) / 1000;
  const cpu = process.cpuUsage(cpuStart);
  delay.disable();
  const progressStart = performance.now();
  await ledger.progress();
  const progressMs = performance.now() - progressStart;
  await ledger.close();
  const bytes = statSync(join(folder, 'ledger.sqlite')).size;
  rmSync(folder, { recursive: true });
  return [
    `${Math.round(calls / seconds)} calls/s`,
    `${Math.round((cpu.user + cpu.system) / calls)} us CPU/call`,
    `longest block ${(delay.max / 1e6).toFixed(1)} ms`,
    `${Math.round(bytes / calls)} bytes/call`,
    `progress ${progressMs.toFixed(2)} ms`,
  ].join(', ');
}

const load = loadavg().map((value) => value.toFixed(1));
process.stdout.write(
  `${cpus().length} x ${cpus()[0]?.model}, load ${load.join(' ')}, ${process.version}; ${calls} calls, ` +
    `${concurrency} at a time\n`,
);
for (let index = 1; index <= rounds; index += 1) process.stdout.write(`round ${index}: ${await round()}\n`);
