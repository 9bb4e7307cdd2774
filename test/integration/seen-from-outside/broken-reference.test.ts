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
