/** Several real processes on one ledger, killed without warning. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { seedOf, uniform } from '../../../../domain/random.ts';
import { keyOf, newFolder, newLedger, page } from './ledger-fixture.ts';

const program = fileURLToPath(new URL('ledger-process.ts', import.meta.url));
const nodeArguments = (...more: readonly (string | number)[]): string[] => [
  '--disable-warning=ExperimentalWarning',
  program,
  ...more.map(String),
];

interface Asker {
  readonly process: ChildProcess;
  readonly unit: string;
  readonly lines: string[];
  readonly ended: Promise<unknown>;
}

function startAsker(path: string, unit: string, epoch: number, cells: number, seed: number, samples: number): Asker {
  const child = spawn(process.execPath, nodeArguments(path, unit, epoch, cells, seed, samples), {
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
const seed = randomInt(2 ** 31);

test.each([
  { samples: 1, cells: 400 },
  { samples: 4, cells: 150 },
])(
  'no acknowledged reply is lost and every call has one that counts, however its processes are killed, with ' +
    `$samples samples of a cell (seed ${seed})`,
  async ({ samples, cells }) => {
    const random = uniform(seedOf('kills', seed));
    const path = join(newFolder(), 'ledger.sqlite');
    const ledger = await newLedger(path);
    const epoch = await ledger.takeOver('test');
    const start = (unit: string): Asker =>
      startAsker(path, unit, epoch, cells, Math.floor(random() * 2 ** 31), samples);

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
    expect((await openLedger(path).records(page)).calls).toEqual(attempts);
  },
  60_000,
);

test('twelve processes may open a new ledger at the same moment', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const module = fileURLToPath(
    new URL('../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts', import.meta.url),
  );
  const open = `import { openLedger } from ${JSON.stringify(module)};
    console.log(await openLedger(${JSON.stringify(path)}).takeOver('one of twelve'));`;
  const run = promisify(execFile);
  const outputs = await Promise.all(
    Array.from({ length: 12 }, () =>
      run(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', open]),
    ),
  );
  const epochs = outputs.map(({ stdout }) => Number(stdout)).sort((a, b) => a - b);
  expect(epochs).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});

const hasStrace = spawnSync('strace', ['-V']).status === 0;

// Red when `pragma synchronous = full` in ledger-database.ts becomes `normal`: then only checkpoints wait for the disk.
test.skipIf(!hasStrace)(
  `every reply is on disk before it is acknowledged${hasStrace ? '' : ' (needs strace)'}`,
  async () => {
    const path = join(newFolder(), 'ledger.sqlite');
    const ledger = await newLedger(path);
    const epoch = await ledger.takeOver('test');
    const traced = spawnSync(
      'strace',
      ['-f', '-e', 'trace=write,fsync,fdatasync', process.execPath, ...nodeArguments(path, 'unit', epoch, 40, 1, 1)],
      { encoding: 'utf8' },
    );
    const events = traced.stderr
      .split('\n')
      .flatMap((line) =>
        /fsync\(|fdatasync\(/.test(line) ? ['sync'] : /write\(1, "\d/.test(line) ? ['acknowledged'] : [],
      );
    expect(events.filter((event) => event === 'acknowledged')).toHaveLength(40);
    // Eight workers share transactions, so at most eight acknowledgements follow one another without a sync between them.
    const longest = Math.max(
      ...events
        .join(' ')
        .split('sync')
        .map((between) => between.match(/acknowledged/g)?.length ?? 0),
    );
    expect(longest).toBeLessThanOrEqual(8);
  },
);
