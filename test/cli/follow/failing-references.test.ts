import { expect, test } from 'vitest';
import type { ReferenceRecord } from '../../../activities/storage/ledger/records.ts';
import { failingReferences } from '../../../cli/follow/failing-references.ts';
import type { ReferenceKeys } from '../../../cli/follow/reference-keys.ts';

const record = (key: string, outputs: ReferenceRecord['outputs']): ReferenceRecord => ({
  ...{ key, outcome: 'exception', firstFailingCase: 0, outputs, caseMs: [1] },
});

/** Tasks T/0 to T/4, each with a suite whose expected values come from the reference, and one that states its own. */
const keys: ReferenceKeys = new Map([
  [
    'tiny',
    new Map(
      [0, 1, 2, 3, 4].map((n) => [
        `T/${n}`,
        [
          { key: `from${n}`, givesExpected: true },
          { key: `own${n}`, givesExpected: false },
        ],
      ]),
    ),
  ],
]);

function noted() {
  const stored = new Map<string, ReferenceRecord>();
  const [lines, asked]: [string[], string[][]] = [[], []];
  const ledger = {
    references: async (wanted: Iterable<string>) => {
      const all = [...wanted];
      asked.push(all);
      return new Map([...stored].filter(([key]) => all.includes(key)));
    },
  };
  const look = failingReferences(ledger, Promise.resolve(keys), (line) => lines.push(line));
  const store = (one: ReferenceRecord): Promise<void> => look(stored.set(one.key, one).size);
  return { lines, asked, look, store };
}

test('a reference without any output is said once, as soon as it has run', async () => {
  const { lines, asked, look, store } = noted();
  await store(record('from0', ['1']));
  await store(record('own1', [null]));
  await store(record('from2', ['1', null]));
  expect(lines, 'some output is enough, and a suite with its own values needs none').toEqual([]);
  await store(record('from1', [null, null]));
  expect(lines).toEqual([
    'references: no output from that of 1 task (T/1): it fails or is missing, so answers to this task are not ' +
      'judged; see table suites, and mend the benchmark. The run goes on; Ctrl-C stops it',
  ]);
  const before = asked.length;
  await look(4);
  expect(asked, 'nothing is read while no other reference has run').toHaveLength(before);
  expect(asked.at(-1), 'what was read is not read again').not.toContain('from0');
});

test('more of them are said when they are twice as many', async () => {
  const { lines, store } = noted();
  for (const n of [0, 1, 2]) await store(record(`from${n}`, [null]));
  expect(lines.map((line) => /\(.*?\)/.exec(line)?.[0])).toEqual(['(T/0)', '(T/0, T/1)']);
  await store(record('from3', [null]));
  expect(lines.at(-1)).toContain('4 tasks (T/0, T/1, T/2');
});

test('tasks that cannot be read are left to whoever runs them', async () => {
  const lines: string[] = [];
  const ledger = { references: async () => new Map<string, ReferenceRecord>() };
  const look = failingReferences(ledger, Promise.reject(new Error('damaged')), (line) => lines.push(line));
  await look(3);
  expect(lines).toEqual([]);
});
