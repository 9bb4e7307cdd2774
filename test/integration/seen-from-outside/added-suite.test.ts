/** A suite is added to a benchmark file of the user's own after a run, and `compare` and `gate` go on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Deployment, openDeployment } from '../../support/deployment.ts';

let deployment: Deployment;
const places = Array.from({ length: 12 }, (_, place) => place);

/** `f` doubles; the replies give 2, which base and plus accept and extra does not. */
function task(place: number, { isEdited = false, hasOtherPrompt = false, hasExtra = true }): string {
  const inputs = isEdited ? [[1], [1]] : [[1]];
  return JSON.stringify({
    ...{ task_id: `T/${place}`, entry_point: 'f', reference: 'def f(x):\n    return x * 2\n' },
    prompt: `"""\n${hasOtherPrompt ? 'Double' : 'Twice'} the number ${place}.\nassert f(1) == 2\n"""\n`,
    suites: {
      base: { inputs, expected: inputs.map(() => 2) },
      plus: { inputs: [[1.0]], expected: [2.0] },
      ...(hasExtra && { extra: { inputs: [[7]], expected: [14] } }),
    },
  });
}

async function run(name: string, file: string, suites = ''): Promise<void> {
  const spec = deployment.write(
    `${name}.yaml`,
    `
name: ${name}
models: [{ id: m, provider: replay, file: replies.jsonl }]
benchmarks: { own: { format: evenkeel, path: ${file}${suites} } }
studies: [{ name: plain, kind: pass, benchmark: own, settings: { samples: 1, ks: [1], temperatures: [0] } }]
`,
  );
  const end = await deployment.evenkeel('run', spec);
  expect(end.status, end.output).toBe(0);
}

beforeAll(async () => {
  deployment = await openDeployment();
  const write = (file: string, line: (place: number) => string) => deployment.write(file, places.map(line).join('\n'));
  write('before.jsonl', (place) => task(place, { hasExtra: false }));
  write('after.jsonl', (place) => task(place, {}));
  write('edited.jsonl', (place) => task(place, { isEdited: place < 2, hasOtherPrompt: place === 2 }));
  deployment.write('replies.jsonl', JSON.stringify({ reply: '```python\ndef f(x):\n    return 2\n```' }));
  await run('before', 'before.jsonl');
  await run('after', 'after.jsonl');
  await run('filtered', 'after.jsonl', ', suites: [plus, base]');
  await run('edited', 'edited.jsonl');
});
afterAll(() => deployment?.close());

interface Found {
  readonly notes: readonly string[];
  /** A row for each model of each comparison. */
  readonly models: readonly Readonly<Record<'metric' | 'suite' | 'run' | 'value' | 'n_tasks', unknown>>[];
}

/** Notes as one text; suite, run, percentage and tasks of each row of pass@1. */
async function compared(now: string) {
  const end = await deployment.evenkeel('compare', 'before', now, '--json');
  expect(end.status, end.output).toBe(0);
  const { notes, models } = JSON.parse(end.stdout) as Found;
  const rows = models.filter(({ metric }) => metric === 'pass_at_1');
  const shown = rows.map((row) => [row.suite, row.run, row.value, row.n_tasks].join(' '));
  return { notes: notes.join('\n'), rows: new Set(shown) };
}

/** All replies pass base and plus. */
const allPass = (now: string, tasks: number) =>
  new Set(['base', 'plus'].flatMap((suite) => ['before', now].map((name) => `${suite} ${name} 100 ${tasks}`)));

const suitesText = (run: string) =>
  `judged by different suites ([base, plus] in run before; [base, extra, plus] in run ${run})`;

// Red before: exit 2, "12 new or changed tasks excluded", and an inconclusive gate.
test('runs are compared by the suites that both have, and a gate decides by them', async () => {
  const { notes, rows } = await compared('after');
  expect(rows).toEqual(allPass('after', 12));
  expect(notes).toContain(`12 tasks of own, ${suitesText('after')}`);
  expect(notes).not.toContain('changed');
  const policy = deployment.write('policy.yaml', 'rules: [{ metric: pass_at_1, suite: base, margin: 60 }]');
  const gate = await deployment.evenkeel('gate', 'after', '--against', 'before', '--policy', policy);
  expect(gate.status, gate.output).toBe(0);
});

// What the gate's advice names. All replies fail extra, so no version can lose anything there.
test('a rule that names no suite decides once `rescore` has judged the old answers by the added one', async () => {
  const policy = deployment.write('every.yaml', 'rules: [{ metric: pass_at_1, margin: 80 }]');
  const open = await deployment.evenkeel('gate', 'after', '--against', 'before', '--policy', policy);
  expect([open.status, open.output]).toEqual([
    5,
    expect.stringContaining('rescore before --suites SUITES,extra=FORMAT:FILE'),
  ]);
  const file = deployment.write('extra.jsonl', places.map((place) => task(place, {})).join('\n'));
  const suites = ['--suites', `base,plus,extra=evenkeel:${file}`];
  const again = await deployment.evenkeel('rescore', 'before', ...suites, '--run', 'wider');
  expect(again.status, again.output).toBe(0);
  const row = await deployment.evenkeel('gate', 'wider', '--against', 'before', '--policy', policy);
  expect([row.status, row.output]).toEqual([
    5,
    expect.stringContaining('all answers of run wider are those of run before, judged by this suite too'),
  ]);
  const gate = await deployment.evenkeel('gate', 'after', '--against', 'wider', '--policy', policy);
  expect(gate.status, gate.output).toBe(0);
  expect(gate.output).toContain('pass_at_1 (extra)');
});

// Red before: the same, though both runs judge by the same tests.
test('the tasks are the same where the spec names the suites that there were', async () => {
  const { notes, rows } = await compared('filtered');
  expect(rows).toEqual(allPass('filtered', 12));
  expect(notes).not.toMatch(/changed|different suites/);
});

// Red before: all 12 were.
test('tasks with an edited test or prompt are new or changed', async () => {
  const { notes, rows } = await compared('edited');
  expect(rows).toEqual(allPass('edited', 9));
  expect(notes).toContain('study plain: 3 new or changed tasks excluded');
  expect(notes).toContain(`9 tasks of own, ${suitesText('edited')}`);
});
