/** A model that passes nothing does not vary between phrasings: that is not a small spread. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { cardsOf } from '../../../studies/cards.ts';
import { writeRun } from '../../analysis/run-fixture.ts';

const models = ['half', 'right', 'wrong'];
const spec = parseSpec(
  `
name: r
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: nfr, kind: robunfr-prompts, benchmark: b, settings: { dimensions: [reliability] } }]
`,
  'r.yaml',
);

const filled = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

/** `half` passes every second task with the first phrasing, and the first half of the others with the second. */
const passes = (model: string, task: number, phrasing: number): boolean =>
  model === 'right' || (model === 'half' && (phrasing === 1 ? task % 2 === 0 : task < 5));

const rows = models.flatMap((model) =>
  Array.from({ length: 20 }, (_, task) =>
    [1, 2].map((phrasing): Row => {
      const passed = passes(model, task, phrasing);
      return {
        ...{ run: 'r', study: 'nfr', model, benchmark: 'b', task_id: `T/${task}`, language: 'python', repetition: 0 },
        ...{ variant: `reliability-0${phrasing}`, setting: 'nfr-integrated', simulated: false, step: 'generate' },
        ...{ dimension: 'reliability', phrasing: String(phrasing), passed, failure: passed ? null : 'wrong_output' },
      };
    }),
  ).flat(),
);
const cellColumns = ['run', 'study', 'model', 'benchmark', 'task_id', 'language', 'repetition', 'variant', 'setting'];
const verdicts = rows.map((row) =>
  filled('verdicts', {
    ...Object.fromEntries(cellColumns.map((name) => [name, row[name]])),
    ...{ simulated: false, step: 'generate', loop: 1, sample: 0, suite: 'base' },
    outcome: row['passed'] === true ? 'pass' : 'wrong_output',
  }),
);

/** The rows of cards about the spread over phrasings. */
async function spreadsOf(judged: readonly Row[]): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-wrong-'));
  await writeRun(
    folder,
    [
      { table: 'nfr_scores', page: 'nfr/m/r1p0000', rows: rows.map((row) => filled('nfr_scores', row)) },
      { table: 'verdicts', page: 'nfr/m/r1p0000', rows: judged },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run: 'r', model, simulated: false })) },
    ],
    { runId: 'r', spec },
  );
  const database = await openRun(folder);
  try {
    return (await cardsOf(database)).cards.filter(({ metric }) => metric === 'phrasing_spread');
  } finally {
    database.close();
    await rm(folder, { recursive: true });
  }
}

// Red before: `wrong` had a spread of 0, and was ahead of `half`.
test('its card says that pass@1 cannot vary; a model that passes all has a spread of 0', async () => {
  const own = await spreadsOf(verdicts);
  expect(own.map((row) => [row['model'], row['estimate'], row['reason']])).toEqual([
    // 50 and 25 %.
    ['half', expect.closeTo(25 / Math.SQRT2, 9), null],
    ['right', 0, null],
    ['wrong', null, 'no answer passes with any phrasing, so pass@1 cannot vary'],
  ]);
  expect(own.map((row) => row['n_better'])).toEqual([expect.any(Number), 0, null]);
});

// Red before: `right` kept its narrow interval around 0, and was ahead, whatever the answers to a phrasing might be.
test('answers that could not be judged are in the interval of the spread', async () => {
  const isOpen = (row: Row): boolean => row['model'] === 'right' && row['variant'] === 'reliability-02';
  const judgedTask = 'T/0';
  const [, right] = await spreadsOf(
    verdicts.map((row) =>
      isOpen(row) && row['task_id'] !== judgedTask ? { ...row, outcome: 'missing_dependency' } : row,
    ),
  );
  // With all of them failed: 100 and 5 %.
  const most = 95 / Math.SQRT2;
  expect(right).toMatchObject({ model: 'right', estimate: 0, estimate_lo: 0, reason: null, n_worse: 0, n_better: 0 });
  expect(Number(right?.['estimate_hi'])).toBeGreaterThanOrEqual(most);
  expect(right?.['method']).toContain('with all that answers that could not be judged allow');
});
