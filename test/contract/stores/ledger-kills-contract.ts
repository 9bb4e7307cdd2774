/** Several real processes on one ledger, killed without warning. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import { keyOf, page } from '../../activities/storage/ledger/ledger-calls.ts';
import { openLedgerAt } from './ledger-address.ts';

const program = fileURLToPath(new URL('ledger-process.ts', import.meta.url));

interface Asker {
  readonly process: ChildProcess;
  readonly unit: string;
  readonly lines: string[];
  readonly ended: Promise<unknown>;
}

const flags = ['--disable-warning=ExperimentalWarning', program];

function startAsker(address: string, unit: string, epoch: number, cells: number, seed: number, samples: number): Asker {
  const child = spawn(process.execPath, [...flags, address, ...[unit, epoch, cells, seed, samples].map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const asker: Asker = { process: child, unit, lines: [], ended: once(child, 'close') };
  let text = '';
  child.stdout?.on('data', (chunk) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    asker.lines.push(...lines);
  });
  return asker;
}

/** Gives the kill times and the orders of asking; new each run, named in the test. */
const seed = Number(process.env['EVENKEEL_KILL_SEED'] ?? randomInt(2 ** 31));

const lockProgram = fileURLToPath(new URL('ledger/lock-process.ts', import.meta.url));

/** @param newAddress of a ledger without pages; see `openLedgerAt` */
export function ledgerKillsContract(newAddress: () => string | Promise<string>): void {
  test.each([
    { samples: 1, cells: 1200 },
    { samples: 4, cells: 300 },
  ])(
    'no acknowledged reply is lost and every call has one that counts, however its processes are killed, with ' +
      `$samples samples of a cell (seed ${seed})`,
    async ({ samples, cells }) => {
      const random = uniform(seedOf('kills', seed));
      const address = await newAddress();
      const ledger = await openLedgerAt(address);
      await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 2000, revision: 1 }]);
      const epoch = await ledger.takeOver('test');
      const start = (unit: string): Asker =>
        startAsker(address, unit, epoch, cells, Math.floor(random() * 2 ** 31), samples);

      let running = ['unit 0', 'unit 1', 'unit 2'].map(start);
      const all = [...running];
      let killed = 0;
      for (let round = 0; round < 6; round += 1) {
        await pause(150 + random() * 350);
        const victim = running[Math.floor(random() * running.length)] as Asker;
        if (victim.process.kill('SIGKILL') && victim.lines.at(-1) !== 'done') killed += 1;
        await victim.ended;
        const heir = start(victim.unit);
        all.push(heir);
        running = [...running.filter((asker) => asker !== victim), heir];
      }
      await Promise.all(running.map(({ ended }) => ended));
      expect(running.map(({ lines }) => lines.at(-1))).toEqual(['done', 'done', 'done']);
      expect(killed).toBeGreaterThan(0);

      const answers = await ledger.samples(page);
      const winners = new Map(answers.map(({ callKey, reply }) => [callKey, reply.text]));
      expect([answers.length, winners.size]).toEqual([cells * samples, cells * samples]);
      const acknowledged = all.flatMap(({ lines }) => lines.filter((line) => line !== 'done'));
      expect(acknowledged.length).toBeGreaterThan(0);
      for (const line of acknowledged) {
        const [cell = '', sample = '', ...text] = line.split(' ');
        expect(winners.get(keyOf(`${cell}/${sample}`))).toBe(text.join(' '));
      }

      const attempts = (await ledger.records(page)).calls;
      const answered = attempts.filter(({ status }) => status === 'answered');
      const { lostCalls, liveIntents, spend } = await ledger.progress();
      expect({ attempts: attempts.length, liveIntents }).toEqual({
        attempts: answered.length + lostCalls,
        liveIntents: 0,
      });
      expect(spend.reportedUsd).toBeCloseTo(answered.length * 0.01, 9);
      expect(spend.estimatedUsd).toBeCloseTo(lostCalls * 0.02, 9);
      const again = await openLedgerAt(address);
      expect((await again.records(page)).calls).toEqual(attempts);
      await Promise.all([ledger.close(), again.close()]);
    },
    60_000,
  );

  test("the manifest's lock ends with its process, and until then nobody takes over", async () => {
    const address = await newAddress();
    const ledger = await openLedgerAt(address);
    onTestFinished(() => ledger.close());
    const holder = spawn(process.execPath, [flags[0] ?? '', lockProgram, address], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    // From another process: a ledger in SQLite blocks its own while it waits.
    const killed = once(spawn('sh', ['-c', `sleep 0.5; kill -9 ${holder.pid}`], { stdio: 'ignore' }), 'close');
    const startMs = performance.now();
    expect(await ledger.takeOver('second owner')).toBe(1);
    expect(performance.now() - startMs).toBeGreaterThan(400);
    await killed;
    expect(await ledger.withManifestLock(() => ledger.currentEpoch())).toBe(1);
  });
}
