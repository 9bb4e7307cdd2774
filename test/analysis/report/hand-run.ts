/**
 * A run of two models on three tasks, up to three loops, small enough to count by hand. `sustained` below is the whole
 * of its results; one reply is hostile.
 */
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Row } from '../../../schemas/tables.ts';
import { type FixturePart, writeRun } from '../run-fixture.ts';
import { plainLoops } from '../../support/loop-settings.ts';

export const hostile =
  '</script><img src=x onerror="document.title=\'owned\'"><!-- <script>document.title="owned"</script> \u202e{{7*7}}';

interface HandCell {
  readonly model: string;
  readonly task: string;
  readonly sustained: number;
  readonly endedBy: string;
  readonly outcome: string | null;
}

const cell = (model: string, task: string, sustained: number, endedBy: string, outcome: string | null): HandCell => ({
  model,
  task,
  sustained,
  endedBy,
  outcome,
});

const cells: readonly HandCell[] = [
  cell('alpha', 'T/1', 3, 'survived', null),
  cell('alpha', 'T/2', 1, 'code_failed', 'wrong_output'),
  cell('alpha', 'T/10', 0, 'no_code', 'no_code'),
  cell('beta', 'T/1', 1, 'code_failed', 'exception'),
  cell('beta', 'T/2', 0, 'excluded', 'missing_dependency'),
  cell('beta', 'T/10', 0, 'code_failed', 'wrong_output'),
];

/** Six cells of eight planned ones are there; beta is simulated; the reference of T/10 fails. */
export const writeHandRun = (folder: string): Promise<Manifest> =>
  writeRun(folder, [...runTables, ...['alpha', 'beta'].flatMap(modelTables)], {
    state: 'running',
    finishedAt: null,
    plan: [
      {
        file: 'inputs/plan.json',
        sha256: 'a'.repeat(64),
        revision: 1,
        createdAt: '2026-11-20T20:00:00.000Z',
        pages: 2,
        cells: 8,
      },
    ],
    spec: {
      name: 'r',
      seed: 7,
      providers: {},
      models: [
        { id: 'alpha', provider: 'oai', strictVersion: false, study: true },
        { id: 'beta', provider: 'simulated', strictVersion: false, study: true },
      ],
      benchmarks: { tiny: { format: 'evenkeel', path: 'tiny.jsonl' } },
      studies: [
        {
          name: 'loops',
          kind: 'evaloop',
          benchmark: 'tiny',
          repetitions: 1,
          settings: { ...plainLoops, maxLoops: 3, judge: 'none' },
        },
      ],
      reuse: [],
    },
  });

const tasks = ['T/1', 'T/2', 'T/10'];
const place = { run: 'r', benchmark: 'tiny', language: 'python' };

const runTables: readonly FixturePart[] = [
  {
    table: 'models',
    page: 'run',
    rows: ['alpha', 'beta'].map((model) => ({ run: 'r', model, family: null, simulated: model === 'beta' })),
  },
  {
    table: 'tasks',
    page: 'run',
    rows: tasks.map((task) => ({
      ...place,
      task_id: task,
      prompt: `"""\nWrite a function for ${task}, <b>please</b>.\n"""`,
    })),
  },
  {
    table: 'suites',
    page: 'run',
    rows: tasks.map((task) => ({
      ...place,
      task_id: task,
      suite: 'base',
      n_cases: 4,
      reference_outcome: task === 'T/10' ? 'wall_timeout' : 'pass',
      limits: '{}',
    })),
  },
];

function modelTables(model: string): FixturePart[] {
  const own = cells.filter((one) => one.model === model);
  const page = `loops/${model}-0/r1p0000`;
  const asked = own.flatMap((one) => loopsOf(one).map((loop) => ({ one, loop })));
  return [
    { table: 'loops', page, rows: own.map(loopRow) },
    { table: 'samples', page, rows: asked.map(({ one, loop }) => sampleRow(one, loop)) },
    { table: 'prompts', page, rows: asked.map(({ one, loop }) => promptRow(one, loop, page)) },
    { table: 'verdicts', page, rows: asked.map(({ one, loop }) => verdictRow(one, loop)) },
    {
      table: 'executions',
      page,
      rows: asked.filter(({ one, loop }) => !hasNoCode(one, loop)).map(({ one, loop }) => runRow(one, loop, page)),
    },
  ];
}

const keyOf = ({ model, task }: HandCell): Row => ({
  ...place,
  study: 'loops',
  model,
  task_id: task,
  variant: 'original',
  setting: 'default',
  repetition: 0,
});

/** Every loop whose code passed, and the one whose code did not. */
const loopsOf = ({ sustained }: HandCell): number[] =>
  Array.from({ length: Math.min(sustained + 1, 3) }, (_, index) => index + 1);
const hasNoCode = ({ endedBy, sustained }: HandCell, loop: number): boolean =>
  endedBy === 'no_code' && loop === sustained + 1;
const name = ({ model, task }: HandCell, loop: number): string => `${model} ${task} ${loop}`;
const codeOf = (one: HandCell, loop: number): string => `def f():\n    return "${name(one, loop)}"\n`;

const loopRow = (one: HandCell): Row => ({
  ...keyOf(one),
  sustained_loops: one.sustained,
  ended_by: one.endedBy,
  ended_outcome: one.outcome,
  simulated: one.model === 'beta',
});

const sampleRow = (one: HandCell, loop: number): Row => ({
  ...keyOf(one),
  loop,
  step: 'generate',
  sample: 0,
  ask: 0,
  answering_model: one.model,
  call_key: name(one, loop),
  prompt_sha256: name(one, loop),
  reply: hasNoCode(one, loop) ? hostile : `Here it is:\n${codeOf(one, loop)}`,
  reply_status: 'ok',
  extraction: hasNoCode(one, loop) ? 'none' : 'bare',
  solution: hasNoCode(one, loop) ? null : codeOf(one, loop),
  simulated: one.model === 'beta',
});

const promptRow = (one: HandCell, loop: number, page: string): Row => ({
  prompt_sha256: name(one, loop),
  page,
  messages: JSON.stringify([
    { role: 'system', content: 'You are a helpful AI assistant.' },
    { role: 'user', content: `Prompt of ${name(one, loop)}` },
  ]),
});

const verdictRow = (one: HandCell, loop: number): Row => ({
  ...keyOf(one),
  loop,
  step: 'generate',
  sample: 0,
  suite: 'base',
  execution_id: hasNoCode(one, loop) ? null : name(one, loop),
  outcome: loop <= one.sustained ? 'pass' : one.outcome,
  first_failing_case: loop <= one.sustained || hasNoCode(one, loop) ? null : 2,
});

const runRow = (one: HandCell, loop: number, page: string): Row => ({
  execution_id: name(one, loop),
  page,
  suite: 'base',
  outcome: loop <= one.sustained ? 'pass' : one.outcome,
  failing_input: loop <= one.sustained ? null : '[[2,1]]',
  detail: loop <= one.sustained ? null : 'expected [1, 2], got [2, 1]',
  wall_ms: 1,
  tier: 'embedded',
  lane: 'isolated',
  engine: 'pyodide',
  image_digest: 'sha256:0',
  limits: '{}',
});
