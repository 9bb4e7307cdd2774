/** A benchmark of the user's own, of which a reference crashes and another defines no function of the wanted name. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../../support/deployment.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await openDeployment();
});
afterAll(() => deployment?.close());

const task = (id: string, reference: string): string =>
  JSON.stringify({
    ...{ task_id: id, prompt: `"""\nWrite a function.\nassert f(1) == 1\n"""\n`, entry_point: 'f', reference },
    suites: { base: { inputs: [[1], [2]] } },
  });

// Red before: only "Excluded 2" in the table, and "a limit of evenkeel" in the report.
test('the end of a run names the tasks whose reference is broken, as does the report', async () => {
  const references = ['def f(x):\n    return x\n', 'def f(x):\n    return y\n', 'def g(x):\n    return x\n'];
  deployment.write('tasks.jsonl', references.map((code, index) => task(`T/${index + 1}`, code)).join('\n'));
  deployment.write('replies.jsonl', JSON.stringify({ reply: '```python\ndef f(x):\n    return x\n```' }));
  const spec = deployment.write(
    'broken.yaml',
    `
name: broken
models: [{ id: m, provider: replay, file: replies.jsonl }]
benchmarks: { own: { format: evenkeel, path: tasks.jsonl, suites: [base] } }
studies: [{ name: plain, kind: pass, benchmark: own, settings: { samples: 1, ks: [1], temperatures: [0] } }]
`,
  );
  const line =
    '\nreferences: no output from that of 2 tasks (T/2, T/3): they fail or are missing, so answers to these tasks ' +
    'are not judged; see table suites, and mend the benchmark\n';
  const end = await deployment.evenkeel('run', spec);
  expect(end.status, end.output).toBe(0);
  expect(end.stdout).toContain(line);
  expect((await deployment.evenkeel('resume', 'broken')).stdout).toContain(line);
  const { stdout } = await deployment.evenkeel('report', 'broken', '--format', 'md');
  expect(readFileSync(stdout.trim(), 'utf8')).toContain(
    '2 of 3 verdicts on m are excluded, because the task’s own reference fails',
  );
});

// Red before: neither said that an answer which is wrong in case 2 passed on case 1 alone.
test('the end of a run and the report name the tasks of which only some cases count', async () => {
  const reference = 'def f(x):\n    if x > 1: raise ValueError(x)\n    return x\n';
  deployment.write('some.jsonl', [task('T/1', reference), task('T/2', 'def f(x):\n    return 1\n')].join('\n'));
  deployment.write('ones.jsonl', JSON.stringify({ reply: '```python\ndef f(x):\n    return 1\n```' }));
  const spec = deployment.write(
    'some.yaml',
    `
name: some
models: [{ id: m, provider: replay, file: ones.jsonl }]
benchmarks: { own: { format: evenkeel, path: some.jsonl, suites: [base] } }
studies: [{ name: plain, kind: pass, benchmark: own, settings: { samples: 1, ks: [1], temperatures: [0] } }]
`,
  );
  const end = await deployment.evenkeel('run', spec);
  expect(end.status, end.output).toBe(0);
  expect(end.stdout).toContain(
    '\nreferences: that of 1 task (T/1) gives no output for some cases: these are excluded, and answers are judged ' +
      'on the others; see n_cases_judged in table suites\n',
  );
  const sql = 'SELECT task_id, n_cases, n_cases_judged, reference_outcome FROM suites ORDER BY task_id';
  const query = await deployment.evenkeel('query', 'some', sql, '--json');
  const rows = [
    ['T/1', 2, 1, 'pass'],
    ['T/2', 2, 2, 'pass'],
  ];
  expect(JSON.parse(query.stdout)).toMatchObject({ rows });
  const { stdout } = await deployment.evenkeel('report', 'some', '--format', 'md');
  expect(readFileSync(stdout.trim(), 'utf8')).toContain('own, python, suite base: T/1: 1 of 2.');
});

// Red before: 1 of 3 tasks passed by the model that writes no code, and 1 of 1 by the other.
test('an answer without code counts no more than one with code where the reference gives no output', async () => {
  const references = ['def f(x):\n    return x\n', 'def f(x):\n    return y\n', 'def g(x):\n    return x\n'];
  deployment.write('tasks.jsonl', references.map((code, index) => task(`T/${index + 1}`, code)).join('\n'));
  const code = '```python\ndef f(x):\n    return x\n```';
  const replies = (ofBroken: string): string =>
    [code, ofBroken, ofBroken]
      .map((reply, index) => JSON.stringify({ task_id: `T/${index + 1}`, step: 'generate', reply }))
      .join('\n');
  deployment.write('writes.jsonl', replies(code));
  deployment.write('refuses.jsonl', replies('No.'));
  const spec = deployment.write(
    'refused.yaml',
    `
name: refused
models:
  - { id: writes, provider: replay, file: writes.jsonl }
  - { id: refuses, provider: replay, file: refuses.jsonl }
benchmarks: { own: { format: evenkeel, path: tasks.jsonl, suites: [base] } }
studies:
  - { name: plain, kind: pass, benchmark: own, settings: { samples: 1, ks: [1], temperatures: [0] } }
  - { name: loops, kind: evaloop, benchmark: own, settings: { maxLoops: 1, judge: none } }
`,
  );
  const end = await deployment.evenkeel('run', spec);
  expect(end.status, end.output).toBe(0);
  const rowsOf = async (sql: string): Promise<unknown> =>
    (JSON.parse((await deployment.evenkeel('query', 'refused', sql, '--json')).stdout) as { rows: unknown }).rows;
  expect(
    await rowsOf('select model, pass_at_k, n, n_excluded from pass_at_k where repetition is null order by all'),
  ).toEqual(['refuses', 'writes'].map((model) => [model, 1, 1, 2]));
  expect(await rowsOf('select model, n, n_excluded from asl order by all')).toEqual(
    ['refuses', 'writes'].map((model) => [model, 1, 2]),
  );
  const { stdout } = await deployment.evenkeel('report', 'refused', '--format', 'md');
  expect(readFileSync(stdout.trim(), 'utf8')).toContain(
    '4 of 6 verdicts on refuses are excluded, because the task’s own reference fails',
  );
});

// Holds since answers without code are not_run there: regression and nfr_summary once counted them as failures.
test('RobuNFR counts no task whose reference gives no output, with or without code', async () => {
  const references = ['def f(x):\n    return x\n', 'def f(x):\n    return y\n', 'def f(x):\n    return z\n'];
  deployment.write('nfr.jsonl', references.map((code, index) => task(`T/${index + 1}`, code)).join('\n'));
  const code = '```python\ndef f(x):\n    return x\n```';
  const replies = (ofBroken: string): string =>
    [{ reply: code }, { task_id: 'T/2', reply: ofBroken }, { task_id: 'T/3', reply: ofBroken }]
      .map((line) => JSON.stringify(line))
      .join('\n');
  deployment.write('nfr-writes.jsonl', replies(code));
  deployment.write('nfr-refuses.jsonl', replies('No.'));
  const dimensions = 'dimensions: [{ name: security, phrasings: [Guard against hostile input] }]';
  const spec = deployment.write(
    'nfr.yaml',
    `
name: nfr
models:
  - { id: writes, provider: replay, file: nfr-writes.jsonl }
  - { id: refuses, provider: replay, file: nfr-refuses.jsonl }
benchmarks: { own: { format: evenkeel, path: nfr.jsonl, suites: [base] } }
studies:
  - { name: update, kind: robunfr-regression, benchmark: own, repetitions: 2,
      settings: { pairs: [[writes, refuses]], ${dimensions} } }
  - { name: ways, kind: robunfr-workflows, benchmark: own, repetitions: 2, settings: { ${dimensions} } }
`,
  );
  const end = await deployment.evenkeel('run', spec);
  expect(end.status, end.output).toBe(0);
  const rowsOf = async (sql: string): Promise<unknown> =>
    (JSON.parse((await deployment.evenkeel('query', 'nfr', sql, '--json')).stdout) as { rows: unknown }).rows;
  const passes = "where metric = 'pass_at_1'";
  const updates = `select distinct old_mean, new_mean, difference from regression ${passes}`;
  expect(await rowsOf(updates)).toEqual([[100, 100, 0]]);
  expect(await rowsOf(`select distinct study, model, mean from nfr_summary ${passes} order by all`)).toEqual([
    ['update', 'refuses', 100],
    ['update', 'writes', 100],
    ['ways', 'refuses', 100],
    ['ways', 'writes', 100],
  ]);
});
