/** Several real processes on one ledger's file, and what they wait for. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { newFolder, newLedger } from './ledger-fixture.ts';

const program = fileURLToPath(new URL('../../../contract/stores/ledger-process.ts', import.meta.url));
const nodeArguments = (...more: readonly (string | number)[]): string[] => [
  '--disable-warning=ExperimentalWarning',
  program,
  ...more.map(String),
];

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
    // Eight workers share transactions, so at most eight acknowledgements follow one another without a sync between.
    const longest = Math.max(
      ...events
        .join(' ')
        .split('sync')
        .map((between) => between.match(/acknowledged/g)?.length ?? 0),
    );
    expect(longest).toBeLessThanOrEqual(8);
  },
);
