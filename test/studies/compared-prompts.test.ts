/** What `compare --save` writes of tasks of which some prompts were not judged: enough to compute differences from. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeSaved } from '../../activities/exchange/write-saved.ts';
import { comparisonRows } from '../../analysis/compare/rows.ts';
import { openRun } from '../../analysis/database.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import { savedComparison } from '../../schemas/saved-tables.ts';
import { type Row, type TableName, tables } from '../../schemas/tables.ts';
import { compareOver } from '../../studies/compare.ts';
import { writeRun } from '../analysis/run-fixture.ts';

/** By model and task, three phrasings: p passes, f fails, - could not be judged. */
const outcomes: Readonly<Record<string, readonly string[]>> = {
  a: ['pf-', 'ppp', '---', 'f-p', 'pff', 'ppf'],
  b: ['-pf', 'fpf', 'ppp', '-f-', 'ppp', 'fff'],
  c: ['ppf', 'fff', 'fpf', 'ppp', 'pfp', 'fpp'],
};
const outcomeOf = { p: 'pass', f: 'wrong_output', '-': 'missing_dependency' } as const;
type Letter = keyof typeof outcomeOf;
const models = Object.keys(outcomes);

const spec = parseSpec(
  `
name: r
models: [${models.map((id) => `{ id: ${id}, provider: simulated }`).join(', ')}]
benchmarks: { mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies: [{ name: nfr, kind: robunfr-prompts, benchmark: mbpp, settings: { dimensions: [reliability] } }]
`,
  'r.yaml',
);

const filled = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

const rowsOf = (table: 'verdicts' | 'nfr_scores'): Row[] =>
  models.flatMap((model) =>
    (outcomes[model] ?? []).flatMap((letters, task) =>
      [...letters].map((letter, place) => {
        const outcome = outcomeOf[letter as Letter];
        const variant = `reliability-0${place + 1}`;
        const passed = letter === '-' ? null : letter === 'p';
        return filled(table, {
          ...{ run: 'r', study: 'nfr', model, benchmark: 'mbpp', task_id: `MBPP/${task}`, language: 'python', variant },
          ...{ setting: 'nfr-integrated', repetition: 0, simulated: false, step: 'generate' },
          ...(table === 'verdicts'
            ? { loop: 1, sample: 0, suite: 'base', outcome, execution_id: `${model} ${task} ${place}` }
            : { dimension: 'reliability', phrasing: variant, passed }),
        });
      }),
    ),
  );

/** Counted from the letters: each task's mean over the phrasings judged on both, then the mean over such tasks. */
function expected(model: string, other: string): number {
  const points = (letter: string | undefined): number => (letter === 'p' ? 100 : 0);
  const tasks = (outcomes[model] ?? []).flatMap((own, task) => {
    const theirs = outcomes[other]?.[task] ?? '';
    const both = [...own].flatMap((letter, place) =>
      letter === '-' || theirs[place] === '-' ? [] : [points(letter) - points(theirs[place])],
    );
    return both.length === 0 ? [] : [both.reduce((sum, one) => sum + one, 0) / both.length];
  });
  return tasks.reduce((sum, one) => sum + one, 0) / tasks.length;
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-prompts-'));
  const page = 'nfr/m/r1p0000';
  await writeRun(
    join(folder, 'r'),
    [
      { table: 'verdicts', page, rows: rowsOf('verdicts') },
      { table: 'nfr_scores', page, rows: rowsOf('nfr_scores') },
      { table: 'models', page: 'run', rows: models.map((model) => ({ run: 'r', model, simulated: false })) },
    ],
    { runId: 'r', spec },
  );
});
afterAll(() => rm(folder, { recursive: true }));

/** As the description of `difference` says. */
const fromTasks = `
  SELECT a.model, b.model AS other, avg(CASE WHEN a.by_prompt IS NULL THEN a.value - b.value ELSE
    list_avg(list_transform(list_zip(a.by_prompt::DOUBLE[], b.by_prompt::DOUBLE[]), p -> p[1] - p[2])) END
    ) AS difference
  FROM tasks a JOIN tasks b USING (study, metric, suite, dimension, workflow, task_id)
  WHERE metric = 'pass_at_1' GROUP BY ALL`;

// Red before: without by_prompt, the differences of means over each model's own prompts.
test('the difference of a pair can be computed from the saved tasks, also where prompts were not judged', async () => {
  const database = await openRun(join(folder, 'r'));
  const { comparisons } = await compareOver(database, { byVariant: false, margin: 0, alpha: 0.05 });
  database.close();
  await writeSaved(savedComparison, join(folder, 'saved'), ['r'], comparisonRows(comparisons, null), new Date());
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const saved = (name: string): string => `read_parquet('${join(folder, 'saved', `compared_${name}.parquet`)}')`;
  await connection.run(`CREATE TABLE tasks AS FROM ${saved('tasks')}`);
  const reader = await connection.runAndReadAll(
    `SELECT p.model, p.other_model, p.difference AS stored, f.difference AS computed FROM ${saved('pairs')} p
    JOIN (${fromTasks}) f ON f.model = p.model AND f.other = p.other_model WHERE p.metric = 'pass_at_1' ORDER BY ALL`,
  );
  const pairs = reader.getRowObjects();
  connection.closeSync();
  expect(pairs).toHaveLength(3);
  for (const { model, other_model: other, stored, computed } of pairs) {
    expect(stored, `${model} ${other}`).toBeCloseTo(expected(String(model), String(other)), 9);
    expect(computed, `${model} ${other}`).toBeCloseTo(Number(stored), 9);
  }
});
