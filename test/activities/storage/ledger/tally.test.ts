import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, test } from 'vitest';
import { CorruptionError } from '../../../../domain/errors.ts';
import { ledgerPath } from '../../../../activities/storage/run-paths.ts';
import { createRunFolder } from '../../../../activities/storage/run-folder.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { acceptLosses } from '../../../../activities/storage/ledger/sqlite/losses/tally.ts';
import { changeManifestFile } from '../../../../activities/storage/manifest-file.ts';
import { folderHome } from '../../../../activities/storage/home/folder-home.ts';
import { verifyRun } from '../../../../activities/storage/verify/verify.ts';
import { newFolder, page } from './ledger-fixture.ts';
import { manifest } from '../manifest-fixture.ts';

let folder = '';
/** Its ledger before the pages of its plan were in it. */
let unplanned = Buffer.alloc(0);
const cells = 60;
const gone = /(\d+) of 60 paid replies that were on disk are missing.*restore ledger.sqlite.* --accept-losses/;

/**
 * A run whose process was killed when the last of its replies was acknowledged: they are in the log, and nowhere else.
 */
beforeEach(async () => {
  folder = join(newFolder(), 'r');
  await createRunFolder(folder, async () => manifest);
  unplanned = readFileSync(ledgerPath(folder));
  const ledger = openLedger(ledgerPath(folder));
  await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 1000, revision: 1 }]);
  const epoch = await ledger.takeOver('test');
  await ledger.close();
  killedAfter(epoch);
});

/** Asks and answers every cell, then dies by SIGKILL with the ledger open. */
function killedAfter(epoch: number): void {
  const at = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
  const script = `import { openLedger } from ${at('../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts')};
    import { call, charge, reply } from ${at('./ledger-calls.ts')};
    const ledger = openLedger(${JSON.stringify(ledgerPath(folder))});
    const fence = await ledger.openUnit('u', ${epoch});
    for (let cell = 0; cell < ${cells}; cell += 1) {
      const { intent } = await ledger.reserve(fence, call(cell));
      await ledger.commit(intent, [reply('a reply that was paid for '.repeat(20) + cell)], charge(0.01), 1);
    }
    process.kill(process.pid, 'SIGKILL');`;
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  expect(() => execFileSync(process.execPath, options, { stdio: 'pipe' })).toThrow(
    expect.objectContaining({ signal: 'SIGKILL' }),
  );
}

const answered = async (at: string): Promise<number> => {
  const ledger = openLedger(ledgerPath(at));
  const count = (await ledger.progress()).answered;
  await ledger.close();
  return count;
};

test('a killed process loses no replies, and nothing is reported', async () => {
  expect((await verifyRun(folder)).problems).toEqual([]);
  expect(await answered(folder)).toBe(cells);
});

// Red without tally.ts: SQLite reads its log up to the flipped bit, and the replies behind it are paid for again.
test('a flipped bit in the log of a run that was killed is noticed wherever replies are lost by it', async () => {
  const log = readFileSync(`${ledgerPath(folder)}-wal`);
  let losses = 0;
  for (let count = 0; count < 24; count += 1) {
    const copy = join(newFolder(), 'r');
    cpSync(folder, copy, { recursive: true });
    const bit = Math.floor(((count + randomInt(1000) / 1000) * 8 * log.length) / 24);
    const flipped = Buffer.from(log);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    writeFileSync(`${ledgerPath(copy)}-wal`, flipped);
    const { problems } = await verifyRun(copy);
    const lost = Number(/(\d+) of 60 paid replies/.exec(problems.join())?.[1] ?? 0);
    if (lost === 0) expect(await answered(copy), `bit ${bit}`).toBe(cells);
    else {
      losses += 1;
      const size = statSync(`${ledgerPath(copy)}-wal`).size;
      expect(() => openLedger(ledgerPath(copy))).toThrow(CorruptionError);
      expect(() => openLedger(ledgerPath(copy))).toThrow(gone);
      expect(statSync(`${ledgerPath(copy)}-wal`).size).toBe(size);
      acceptLosses(ledgerPath(copy));
      expect(await answered(copy)).toBe(cells - lost);
      expect((await verifyRun(copy)).problems).toEqual([]);
    }
  }
  expect(losses).toBeGreaterThan(12);
});

test('a ledger without its log counts as older; a damaged or missing tally is ignored', async () => {
  const copy = join(newFolder(), 'r');
  cpSync(folder, copy, { recursive: true });
  for (const suffix of ['-wal', '-shm']) rmSync(`${ledgerPath(copy)}${suffix}`);
  expect(() => openLedger(ledgerPath(copy))).toThrow(gone);
  writeFileSync(join(copy, 'ledger.tally'), 'replies 000000000000061 00000000\n');
  expect(await answered(copy)).toBe(0);
  rmSync(join(folder, 'ledger.tally'));
  expect(await answered(folder)).toBe(cells);
});

// Red before: no directory was named, so the command acted on the run of that name in another one.
test('the command that accepts lost replies names the runs directory, as a shell reads it', async () => {
  const runsDir = join(newFolder(), 'my runs');
  cpSync(folder, join(runsDir, 'r'), { recursive: true });
  for (const suffix of ['-wal', '-shm']) rmSync(`${ledgerPath(join(runsDir, 'r'))}${suffix}`);
  const command = `: npx evenkeel resume r --accept-losses --runs-dir '${runsDir}'`;
  expect(() => openLedger(ledgerPath(join(runsDir, 'r')))).toThrow(command);
});

/** As if the log had broken off at its beginning. */
function loseLog(): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${ledgerPath(folder)}${suffix}`);
}

const goneForGood = (more: string): RegExp =>
  new RegExp(`60 of 60 paid replies that were on disk are missing, and also ${more}.*, or start another run$`);

// Red before: the lost replies were in no figure, and nothing said so.
test('how many replies were lost is known after the loss was accepted, also once it is accepted again', async () => {
  for (const suffix of ['-wal', '-shm']) rmSync(`${ledgerPath(folder)}${suffix}`);
  const { seals } = folderHome(folder);
  expect(await seals.acceptLosses()).toBe(cells);
  expect(await seals.acceptLosses()).toBe(0);
  const ledger = openLedger(ledgerPath(folder));
  expect(await ledger.progress()).toMatchObject({ acceptedLosses: cells, answered: 0 });
  await ledger.close();
});

// Red before: the losses were accepted, then the ledger was refused without its plan, and `verify` said "is intact".
test('losses that no resume can make up for are not accepted, and stay known', async () => {
  writeFileSync(ledgerPath(folder), unplanned);
  loseLog();
  const noPlan = goneForGood('the pages of its plan');
  expect(() => openLedger(ledgerPath(folder))).toThrow(noPlan);
  expect(() => acceptLosses(ledgerPath(folder))).toThrow(noPlan);
  expect((await verifyRun(folder)).problems).toEqual([expect.stringContaining('60 of 60 paid replies')]);
  writeFileSync(join(folder, 'ledger.tally'), 'replies 000000000000061 00000000\n');
  expect(() => acceptLosses(ledgerPath(folder))).toThrow(
    /its count of paid replies \(ledger\.tally\) is damaged, and it lacks the pages of its plan; .*start another run$/,
  );
});

test('nor is a loss of parts that the manifest lists', async () => {
  loseLog();
  const part = { table: 'loops', page, path: 'loops/p.parquet', rows: 1, bytes: 1, sha256: 'x' };
  changeManifestFile(folder, (old) => ({ ...old, parts: [{ ...part, schemaVersion: 1, revision: 1 }] }));
  const noParts = goneForGood('its list of published tables');
  expect(() => openLedger(ledgerPath(folder))).toThrow(noParts);
  expect(() => acceptLosses(ledgerPath(folder))).toThrow(noParts);
  expect((await verifyRun(folder)).problems).toContainEqual(expect.stringContaining('60 of 60 paid replies'));
});
