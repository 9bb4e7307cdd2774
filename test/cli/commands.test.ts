/** The command line from outside: help, refusals, and one JSON document under --json. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type CommandEnd, runCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

const overview = await runCommand(['--help']);
const verbs = [...overview.stdout.matchAll(/^ {2}([a-z]+) \[options\]/gm)].map((match) => match[1] as string);

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const evenkeel = (...args: readonly string[]): Promise<CommandEnd> =>
  runCommand(args, { ...process.env, EVENKEEL_RUNS: join(folder, 'runs') });
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const documents = ({ stdout }: CommandEnd): unknown => JSON.parse(stdout);

describe('help', () => {
  test('the overview lists the verbs of a study from beginning to end', () => {
    expect(overview.status).toBe(0);
    const promised = [
      'init',
      'plan',
      'run',
      'resume',
      'pause',
      'cancel',
      'budget',
      'status',
      'query',
      'report',
      'verify',
      'doctor',
    ];
    expect(verbs).toEqual(expect.arrayContaining([...promised, 'server', 'worker', 'simulate', 'demo']));
  });

  test.each(verbs)('evenkeel %s --help ends with 0 and shows an example, --json and --runs-dir', async (verb) => {
    const { status, stdout, stderr } = await evenkeel(verb, '--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Examples:\\n  \\$ npx evenkeel ${verb}\\b`, 'm'));
    expect(stdout).toContain('--json');
    expect(stdout).toContain('--runs-dir <dir>');
  });
});

// Red before: each request was passed on without end, ten thousand of them within seconds.
test.each(['http://127.0.0.1:18466/v1', 'http://localhost:18466/v1', 'http://[::1]:18466'])(
  'a recorder before itself is refused: %s',
  async (to) => {
    const end = await evenkeel('record', '--listen', '18466', '--to', to, '--out', join(folder, 'replies.jsonl'));
    expect([end.status, end.stderr]).toEqual([
      2,
      '--to  is the port that --listen names, so the recorder would ask itself: give each its own\n',
    ]);
  },
);

// Red before: recorded, and the break stood in what it said.
test.each(['http://127.0.0.1:9/v1\n', 'http://127.0.0.1:9/\nv1', ' http://127.0.0.1:9/v1', 'http://127.0.0.1:9/v1\t'])(
  'a recorder before an address with white space is refused: %j',
  async (to) => {
    const end = await evenkeel('record', '--listen', '18467', '--to', to, '--out', join(folder, 'white.jsonl'));
    expect([end.status, end.stderr]).toEqual([
      2,
      `--to  must be an endpoint's base URL, such as https://api.openai.com/v1; got ${JSON.stringify(to)}\n`,
    ]);
  },
);

const spec = (change: Partial<Record<'models' | 'benchmark' | 'study', string>> = {}): string => `
name: example
models:
  ${change.models ?? '- { id: sim, provider: simulated }'}
benchmarks:
  tiny: ${change.benchmark ?? '{ format: evenkeel, path: tiny.jsonl }'}
studies:
  - ${change.study ?? '{ name: loops, kind: evaloop, benchmark: tiny }'}
`;

describe('errors of the user end with status 2 and a message, never with a stack trace', () => {
  test('a run folder that has lost its manifest, and a run id that is too long', async () => {
    mkdirSync(join(folder, 'runs', 'lost'), { recursive: true });
    const lost = await evenkeel('query', 'lost', 'select 1');
    expect([lost.status, lost.stderr]).toEqual([
      2,
      expect.stringMatching(/runs\/lost has no manifest\.json, .*restore that file from a copy/),
    ]);
    const long = await evenkeel('status', 'x'.repeat(121));
    expect([long.status, long.stderr]).toEqual([2, expect.stringContaining('at most 120')]);
  });

  const specs: [string, string, RegExp][] = [
    [
      'a misspelt key',
      spec({ study: '{ name: loops, kind: evaloop, benchmrk: tiny }' }),
      /example\.yaml:8:\d+ .*unknown key "benchmrk".*"benchmark"/,
    ],
    [
      'an unknown judge',
      spec({ study: '{ name: l, kind: evaloop, benchmark: tiny, settings: { judge: smi } }' }),
      /example\.yaml:8:\d+ .*"smi".*"sim"/,
    ],
    [
      'a wrong type',
      spec({ benchmark: '{ format: evenkeel, path: 7 }' }),
      /example\.yaml:6:\d+ .*benchmarks\.tiny\.path/,
    ],
    [
      'two models of one id',
      spec({ models: '- { id: a, provider: simulated }\n  - { id: a, provider: simulated }' }),
      /example\.yaml:5:\d+ .*unique/,
    ],
    [
      'an unknown preset',
      spec({ models: '- { id: a, provider: simulated, profile: stronk }' }),
      /example\.yaml:4:\d+ .*"stronk".*"strong"/,
    ],
    ['no YAML', 'name: [', /example\.yaml:1:\d+/],
    ['a missing benchmark file', spec({ benchmark: '{ format: evenkeel, path: nowhere.jsonl }' }), /nowhere\.jsonl/],
    ['a broken benchmark line', spec({ benchmark: '{ format: evenkeel, path: broken.jsonl }' }), /broken\.jsonl:2 /],
    [
      'a missing recording',
      spec({ models: '- { id: a, provider: replay, file: nowhere.jsonl }' }),
      /example\.yaml:4:\d+ .*nowhere\.jsonl/,
    ],
    [
      'an invalid recording',
      spec({ models: '- { id: a, provider: replay, file: broken.jsonl }' }),
      /broken\.jsonl:1 .*invalid recorded reply/,
    ],
  ];

  test.each(specs)('%s in a spec', async (_what, text, message) => {
    const path = write('example.yaml', text);
    write('tiny.jsonl', benchmarkText(tinyTasks(2)));
    write('broken.jsonl', `${benchmarkText(tinyTasks(1))}{"task_id": \n`);
    expectRefusal(await evenkeel('run', path), message);
  });

  test('plan refuses what run would refuse, recordings included', async () => {
    const path = write('example.yaml', spec({ models: '- { id: a, provider: replay, file: tiny.jsonl }' }));
    write('tiny.jsonl', benchmarkText(tinyTasks(2)));
    expectRefusal(await evenkeel('plan', path), /tiny\.jsonl:1 .*invalid recorded reply/);
  });

  const calls: [string, string[], RegExp][] = [
    ['a missing spec', ['run', 'nowhere.yaml'], /nowhere\.yaml .*evenkeel init/],
    ['an unknown verb', ['rum', 'x'], /unknown command 'rum'/],
    ['an unknown flag', ['run', 'x', '--fast'], /unknown option '--fast'/],
    ['a missing argument', ['run'], /missing required argument 'spec'/],
    ['a missing option', ['budget', 'nightly'], /--usd/],
    ['a budget that is not a number', ['budget', 'nightly', '--usd', 'much'], /--usd .*"much"/],
    ['a port out of range', ['simulate', '--port', '99999'], /--port .*"99999"/],
    ['an unknown role', ['worker', '--roles', 'cook'], /"cook"/],
    ['a run id that leaves the folder', ['status', '../nightly'], /"\.\.\/nightly"/],
    ['an unknown format to import', ['import', 'x', '--format', 'evalpus'], /--format .*did you mean "evalplus"/],
    [
      'a benchmark without a format',
      ['import', 'x', '--format', 'csv', '--benchmark', 'x'],
      /--benchmark .*FORMAT:FILE/,
    ],
    ['a spec without a benchmark', ['import', 'x', '--format', 'csv', '--spec', 'y'], /--spec .*needs the benchmark/],
    ['an option of other formats', ['import', 'x', '--columns', 'a=b'], /--columns .*no meaning with --format evaloop/],
    ['an unknown format to export', ['export', 'x', '--format', 'inspekt', '--out', 'x'], /did you mean "inspect"/],
    ...['resume', 'pause', 'cancel', 'status', 'query', 'report', 'verify'].map((verb): [string, string[], RegExp] => [
      `an unknown run, for ${verb}`,
      [verb, 'nightlj'],
      /no run "nightlj".*did you mean "nightly"/,
    ]),
  ];

  test.each(calls)('%s', async (_what, args, message) => {
    mkdirSync(join(folder, 'runs', 'nightly'), { recursive: true });
    write(join('runs', 'nightly', 'manifest.json'), '{}');
    expectRefusal(await evenkeel(...args), message);
  });

  test('under --json the refusal is the one document on stdout', async () => {
    const end = await evenkeel('run', 'nowhere.yaml', '--json');
    expect(end.status).toBe(2);
    expect(documents(end)).toEqual({ error: expect.stringContaining('nowhere.yaml') });
  });

  // Red before: nothing on stdout.
  test.each([
    [['gate', 'nightly', '--json'], "required option '--policy <file>' not specified"],
    [['run', '--json'], "missing required argument 'spec'"],
    [['status', '--fast', '--json'], "unknown option '--fast'"],
  ])('under --json so is that of a wrong usage: %j', async (args, error) => {
    const end = await evenkeel(...args);
    expect([end.status, documents(end)]).toEqual([2, { error }]);
    expect(end.stderr).toContain(`error: ${error}`);
  });

  function expectRefusal({ status, stdout, stderr }: CommandEnd, message: RegExp): void {
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
    expect([status, stdout]).toEqual([2, '']);
  }
});

describe('before anything runs', () => {
  // Red before: the benchmark was replaced by the replay file, and a written spec by a new one.
  test('import overwrites neither its benchmark nor a spec', async () => {
    const benchmark = write('tiny.jsonl', benchmarkText(tinyTasks(1)));
    const samples = write('samples.jsonl', '{"task_id":"Tiny/1","solution":"x"}\n');
    const imported = (out: string, spec: string) =>
      evenkeel(
        ...['import', samples, '--format', 'samples', '--benchmark', `evenkeel:${benchmark}`],
        ...['--out', join(folder, out), '--spec', join(folder, spec)],
      );
    expect((await imported('tiny.jsonl', 'new.yaml')).stderr).toBe(
      `${benchmark}  --out  is the file that --benchmark names, which would be lost: name another\n`,
    );
    expect(readFileSync(benchmark, 'utf8')).toBe(benchmarkText(tinyTasks(1)));
    const own = write('own.yaml', 'name: mine\n');
    const end = await imported('out.jsonl', 'own.yaml');
    expect([end.status, end.stderr, readFileSync(own, 'utf8')]).toEqual([
      2,
      `${own}  --spec  already exists with other content, which would be lost: name another file\n`,
      'name: mine\n',
    ]);
    expect(existsSync(join(folder, 'out.jsonl'))).toBe(false);
    for (const _ of [1, 2]) expect((await imported('out.jsonl', 'new.yaml')).status).toBe(0);
  });

  test('import says how many samples its spec does not judge', async () => {
    const benchmark = write('tiny.jsonl', benchmarkText(tinyTasks(2)));
    const lines = ['Tiny/1', 'Tiny/1', 'Tiny/1', 'Tiny/2'].map((task_id) =>
      JSON.stringify({ task_id, solution: 'pass' }),
    );
    const { status, stdout } = await evenkeel(
      ...['import', write('unequal.jsonl', `${lines.join('\n')}\n`), '--format', 'samples'],
      ...[
        '--benchmark',
        `evenkeel:${benchmark}`,
        '--out',
        join(folder, 'replies.jsonl'),
        '--spec',
        join(folder, 'unequal.yaml'),
      ],
    );
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(
        'the spec judges the first sample of each task, since some tasks have no more: ' +
          '2 samples of other tasks are not judged\n',
      ),
    ]);
  });

  // Red before: the advised run refused the spec, "must be at most 200, got 201".
  test('import writes a spec of no more samples than a study may have', async () => {
    const benchmark = write('one.jsonl', benchmarkText(tinyTasks(1)));
    const line = JSON.stringify({ task_id: 'Tiny/1', solution: 'pass' });
    const spec = join(folder, 'many.yaml');
    const { status, stdout } = await evenkeel(
      ...[
        'import',
        write(
          'many.jsonl',
          `${line}
`.repeat(201),
        ),
        '--format',
        'samples',
      ],
      ...['--benchmark', `evenkeel:${benchmark}`, '--out', join(folder, 'many-replies.jsonl'), '--spec', spec],
    );
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(
        'the spec judges the first 200 samples of each task, as many as a study may have: 1 sample is not judged\n',
      ),
    ]);
    expect((await evenkeel('plan', spec)).status).toBe(0);
  });

  // Red before: the samples were replaced by the replay file.
  test('import does not overwrite what it imports', async () => {
    const text = '{"task_id":"T/1","solution":"x"}\n';
    const file = write('samples.jsonl', text);
    symlinkSync(file, join(folder, 'link'));
    for (const out of [file, join(folder, 'link')]) {
      const { status, stderr } = await evenkeel('import', file, '--format', 'samples', '--out', out);
      expect([status, stderr]).toEqual([2, '--out  is the file to import: name another, so that it is kept\n']);
      const asSpec = await evenkeel('import', file, '--format', 'samples', '--out', `${file}.replay`, '--spec', out);
      expect(asSpec.stderr).toBe('--spec  is the file to import: name another, so that it is kept\n');
    }
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('init shows commands that a shell takes as they are', async () => {
    const { stdout } = await evenkeel('init', join(folder, "it's mine"));
    const quoted = `'${folder}/it'\\''s mine/pass.yaml'`;
    expect(stdout).toContain(`evenkeel plan ${quoted}\n`);
    expect(stdout).toMatch(/evenkeel run '.*pass\.yaml'$/m);
  });

  test('init writes a spec per study and a benchmark that plan accepts, and never overwrites them', async () => {
    const study = join(folder, 'study');
    const made = await evenkeel('init', study, '--json');
    const written = { spec: 'evaloop.yaml', benchmark: 'starter.jsonl', schema: 'evenkeel.schema.json' };
    expect(made.status).toBe(0);
    const specs = ['evaloop.yaml', 'promptse.yaml', 'robunfr.yaml', 'specificity.yaml', 'pass.yaml'].map((name) =>
      join(study, name),
    );
    const single = Object.fromEntries(Object.entries(written).map(([what, name]) => [what, join(study, name)]));
    expect(documents(made)).toEqual({ ...single, specs });
    const before = readFileSync(join(study, 'evaloop.yaml'), 'utf8');
    for (const spec of specs) {
      const planned = await evenkeel('plan', spec, '--json');
      expect(planned.status, planned.stderr).toBe(0);
    }
    const again = await evenkeel('init', study);
    expect(again.status).toBe(2);
    expect(readFileSync(join(study, 'evaloop.yaml'), 'utf8')).toBe(before);
  }, 180_000);

  test('plan counts cells and calls as the hand count does, and uses the prices of the spec', async () => {
    write('tiny.jsonl', benchmarkText(tinyTasks(7)));
    const path = write(
      'priced.yaml',
      `
name: priced
providers: { account: { kind: openai, baseUrl: http://127.0.0.1:9/v1 } }
models:
  - { id: dear, provider: account, price: { inputUsdPerMillion: 1000, outputUsdPerMillion: 2000 } }
  - { id: unheard-of-model, provider: account }
  - { id: sim, provider: simulated }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: loops, kind: evaloop, benchmark: tiny, repetitions: 2, settings: { maxLoops: 3, maxTokens: 100 } }]
`,
    );
    const end = await evenkeel('plan', path, '--json');
    expect(end.status, end.stderr).toBe(0);
    const { lanes, warnings } = documents(end) as {
      lanes: { usd: Record<'low' | 'expected' | 'high', number> | null }[];
      warnings: string[];
    };
    const usd = lanes[0]?.usd;
    if (!usd) throw new Error('the first model has a price');
    // 7 tasks twice; one program at least, three programs and two summaries at most.
    expect(lanes[0]).toMatchObject({
      study: 'loops',
      model: 'dear',
      cells: 14,
      reusedCalls: 0,
      newCalls: { minimum: 14, maximum: 14 * 5 },
    });
    const { low, expected, high } = usd;
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(expected);
    expect(expected).toBeLessThan(high);
    // Every answer full: 70 calls of 100 tokens at 2,000 dollars a million.
    expect(high).toBeGreaterThan(70 * 100 * 0.002);
    expect(lanes.slice(1).map((lane) => lane.usd)).toEqual([null, { low: 0, expected: 0, high: 0 }]);
    expect(warnings.join()).toContain('unheard-of-model');
  });

  test('plan warns of a key variable that is not set, and continues', async () => {
    write('tiny.jsonl', benchmarkText(tinyTasks(1)));
    const providers =
      'providers: { oai: { kind: openai, baseUrl: http://127.0.0.1:9/v1, apiKeyEnv: EVENKEEL_TEST_UNSET } }';
    const path = write(
      'unset.yaml',
      spec({ models: '- { id: gpt-4o, provider: oai }' }).replace('models:', `${providers}\nmodels:`),
    );
    const warning = 'the environment variable EVENKEEL_TEST_UNSET of provider oai is not set: gpt-4o will not be asked';
    const end = await evenkeel('plan', path);
    expect(end.status, end.stderr).toBe(0);
    expect(end.stdout).toContain(`note: ${warning}`);
    // On a machine that never ran these references there is another warning about that.
    const plan = documents(await evenkeel('plan', path, '--json')) as { warnings: string[] };
    expect(plan.warnings).toContain(warning);
  });

  test('status of an empty runs directory is an empty list', async () => {
    const end = await evenkeel('status', '--json');
    expect([end.status, documents(end)]).toEqual([0, []]);
  });
});

// Red before: "unset EVENKEEL_SANDBOX, or reinstall".
test.each(['toString', 'cotnainer'])(
  'doctor refuses the unknown sandbox %s with those that are known',
  async (name) => {
    const { status, stdout } = await runCommand(['doctor'], { ...process.env, EVENKEEL_SANDBOX: name });
    expect(stdout).toContain(
      `EVENKEEL_SANDBOX  must be one of auto, container, bubblewrap, embedded; got '${name}'\n` +
        `${' '.repeat(18)}set EVENKEEL_SANDBOX to one of these, or unset it\n`,
    );
    expect(stdout).not.toContain('npm ci');
    expect(status).toBe(2);
  },
  60_000,
);
