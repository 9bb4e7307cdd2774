/** RobuNFR where quality and time are measured: one task, plain code and code with a requirement, counted by hand. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engineEnvironment, engineNote, withoutEngine } from '../../sandbox/container/engine.ts';
import { type Deployment, openDeployment } from '../../support/deployment.ts';
import { benchmarkText, fenced, replayText, rightCode, tinyTasks } from '../../support/tiny-tasks.ts';

const [task] = tinyTasks(1);
if (task === undefined) throw new Error('one task was asked for');
/** Pylint misses a docstring of the module and one of the function: two messages in two lines. */
const plain = rightCode(task);
/** No message; one handler and one raise in seven lines. */
const guarded = [
  '"""Adds."""',
  '',
  '',
  'def add_1(number):',
  '    """Add one."""',
  '    try:',
  '        return number + 1',
  '    except TypeError as error:',
  '        raise ValueError("not a number") from error',
  '',
].join('\n');

const spec = `
name: measured
models: [{ id: m, provider: replay, file: m.jsonl }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: wording, kind: robunfr-prompts, benchmark: tiny, repetitions: 1,
      settings: { timedSuite: plus, dimensions: [{ name: guard, phrasings: [Guard it, Check all] }] } }
`;

describe.skipIf(withoutEngine)(`RobuNFR in a container${engineNote}`, () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment(engineEnvironment());
    deployment.write('tiny.jsonl', benchmarkText([task]));
    deployment.write(
      'm.jsonl',
      replayText([
        { variant: 'original', reply: fenced(plain) },
        { variant: 'guard-01', reply: fenced(guarded) },
        { variant: 'guard-02', reply: fenced(`${guarded}\n\ndef (`) },
      ]),
    );
    const end = await deployment.evenkeel('run', deployment.write('measured.yaml', spec));
    expect([end.status, end.output]).toEqual([0, expect.anything()]);
  }, 300_000);
  afterAll(() => deployment?.close());

  test('densities per ten lines, by phrasing; code that does not parse is excluded with its reason', async () => {
    const rows = await deployment.rows(
      'measured',
      'select dimension, metric, mean, n, n_excluded, delta_percent from nfr_summary where metric in ' +
        "('unreadability', 'exception_handling') order by all",
    );
    expect(rows).toEqual([
      { dimension: 'function-only', metric: 'exception_handling', mean: 0, n: 1, n_excluded: 0, delta_percent: null },
      { dimension: 'function-only', metric: 'unreadability', mean: 10, n: 1, n_excluded: 0, delta_percent: 0 },
      {
        dimension: 'guard',
        metric: 'exception_handling',
        mean: expect.closeTo(20 / 7, 9),
        n: 1,
        n_excluded: 1,
        delta_percent: null,
      },
      { dimension: 'guard', metric: 'unreadability', mean: 0, n: 1, n_excluded: 1, delta_percent: -100 },
    ]);
    const quality = await deployment.rows(
      'measured',
      'select reason, count(*)::int as programs from quality group by all order by all',
    );
    expect(quality).toEqual([
      { reason: 'syntax_error', programs: 1 },
      { reason: null, programs: 2 },
    ]);
    const messages = await deployment.rows(
      'measured',
      "select message_id from quality_messages where category = 'convention' order by all",
    );
    expect(messages).toEqual([{ message_id: 'C0114' }, { message_id: 'C0116' }]);
  });

  test('each program that finishes is repeated five times, and its time is their mean', async () => {
    const repeats = await deployment.rows(
      'measured',
      'select execution_id, count(*)::int as repeats, bool_and(cpu_ns > 0) as timed from timings group by all',
    );
    expect(repeats.map(({ repeats: count, timed }) => [count, timed])).toEqual([
      [5, true],
      [5, true],
    ]);
    // One yardstick for both, since they were timed in one call: the task's reference, which also adds one.
    const yardsticks = await deployment.rows(
      'measured',
      'select distinct yardstick_cpu_ns > 0 as timed, yardstick_cpu_ns, yardstick_wall_ns from timings',
    );
    expect(yardsticks).toEqual([expect.objectContaining({ timed: true })]);
    const suites = await deployment.rows(
      'measured',
      'select distinct suite from timings join verdicts using (execution_id)',
    );
    expect(suites).toEqual([{ suite: 'plus' }]);
    const times = await deployment.rows(
      'measured',
      'select dimension, n, n_excluded, mean > 0 as positive from nfr_summary where metric ' +
        "= 'cpu_ms_passing' order by all",
    );
    expect(times).toEqual([
      { dimension: 'function-only', n: 1, n_excluded: 0, positive: true },
      { dimension: 'guard', n: 1, n_excluded: 1, positive: true },
    ]);
  });
});
