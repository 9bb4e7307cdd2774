/** A reference that takes long, and fails: the wait for it names its task, and the end of the run the ceiling. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executedAgain, type Deployment, openDeployment } from '../support/deployment.ts';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await openDeployment(executedAgain);
});
afterAll(() => deployment?.close());

/**
 * Longer than the time between two lines of progress, which is ten seconds without a terminal. New in each run of the
 * tests: the machine remembers what a reference gave, and takes no time for it again.
 */
const slowCode = [
  `# ${randomUUID()}`,
  'import time',
  'def slow(number):',
  '    end = time.time() + 20',
  '    while time.time() < end:',
  '        pass',
  '    return number',
].join('\n');

const task = (id: string, name: string, reference: string, expected: number): string =>
  JSON.stringify({
    ...{ task_id: id, prompt: `"""\nWrite a function.\nassert ${name}(1) == 1\n"""\n`, entry_point: name, reference },
    suites: { base: { inputs: [[1]], expected: [expected] } },
  });

// Red without `notingSlow`: "getting ready: 1/2 references run" for 20 s. Red without `ceilingLine` in `showResults`.
test('the line of progress names the slow reference, and the end of the run the ceiling', async () => {
  deployment.write(
    'tasks.jsonl',
    [task('T/1', 'quick', 'def quick(x):\n    return x\n', 1), task('T/2', 'slow', slowCode, 2)].join('\n'),
  );
  deployment.write('replies.jsonl', JSON.stringify({ reply: 'I do not know.' }));
  const spec = deployment.write(
    'slow.yaml',
    `
name: slow
models: [{ id: m, provider: replay, file: replies.jsonl }]
benchmarks: { own: { format: evenkeel, path: tasks.jsonl, suites: [base] } }
studies: [{ name: plain, kind: pass, benchmark: own, settings: { samples: 1, ks: [1], temperatures: [0] } }]
`,
  );
  const end = await deployment.evenkeel('run', spec);
  expect(end.status, end.output).toBe(0);
  const what = 'the reference of T/2 (own, suite base; each case may take 1 min 0 s of processor time)';
  const clock = end.stderr.replaceAll(/\b\d\d:\d\d:\d\d\b/g, 'HH:MM:SS');
  expect(clock).toMatch(/^getting ready: 1\/2 references run · waiting for .* since HH:MM:SS · \d+ s$/m);
  expect(clock).toContain(`waiting for ${what}, which runs since HH:MM:SS`);
  const failing = 'on own, python, suite base (of 2 references 1 fails: wrong output: T/2)';
  expect(end.stdout).toContain(`\nceiling: the references pass 50.0 % ${failing}; a model can be`);
  const status = await deployment.evenkeel('status', 'slow', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject({ progress: { preparing: [] } });
});
