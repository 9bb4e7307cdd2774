/**
 * A run of all kinds of study whose numbers can be counted by hand: 40 tasks, and models m0 to m5 that fail the first
 * 0, 4, ..., 20 of them in every study, and pass the others.
 */
import { join } from 'node:path';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { type FixturePart, writeRun } from '../../analysis/run-fixture.ts';

export const models = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5'];
const tasks = Array.from({ length: 40 }, (_, index) => `MBPP/${String(index).padStart(2, '0')}`);
/** Tasks that a model fails. */
export const lost = (model: string): number => 4 * models.indexOf(model);

const specText = `
name: all
seed: 7
models:
  - { id: m0, provider: simulated }
  - { id: m1, provider: replay, file: replies.jsonl }
${models
  .slice(2)
  .map((id) => `  - { id: ${id}, provider: oai, model: ${id} }`)
  .join('\n')}
  - { id: judge, provider: simulated, study: false }
providers: { oai: { kind: openai, baseUrl: "https://api.example.com/v1" } }
benchmarks:
  mbpp: { format: mbpp-plus, path: MbppPlus.jsonl.gz }
  php: { format: mxeval, path: mbphp.jsonl }
studies:
  - { name: loops, kind: evaloop, benchmark: mbpp, settings: { maxLoops: 2, judge: judge } }
  - { name: bare, kind: evaloop, benchmark: mbpp, settings: { maxLoops: 2, judge: none } }
  - { name: chain, kind: evaloop-translation, benchmark: mbpp, settings: { through: [php] } }
  - { name: words, kind: promptse, benchmark: mbpp }
  - { name: detail, kind: specificity, benchmark: mbpp }
  - { name: nfr, kind: robunfr-prompts, benchmark: mbpp, settings: { dimensions: [reliability] } }
  - { name: two, kind: robunfr-workflows, benchmark: mbpp, settings: { dimensions: [reliability] } }
  - name: update
    kind: robunfr-regression
    benchmark: mbpp
    settings: { dimensions: [reliability], pairs: [[m0, m2]] }
  - { name: plain, kind: pass, benchmark: mbpp, settings: { ks: [1] } }
`;

const filled = (table: TableName, given: Row): Row => ({
  ...Object.fromEntries(Object.keys(tables[table].columns).map((name) => [name, null])),
  ...given,
});

const cellOf = (study: string, model: string, task: number, more: Row = {}): Row => ({
  ...{ run: 'all', study, model, benchmark: 'mbpp', task_id: tasks[task] as string, language: 'python' },
  ...{ variant: 'original', setting: 'default', repetition: 0, simulated: model === 'm0', ...more },
});

const each = (make: (model: string, task: number, passed: boolean) => readonly Row[]): Row[] =>
  models.flatMap((model) => tasks.flatMap((_, task) => make(model, task, task >= lost(model))));

const verdict = (study: string, model: string, task: number, passed: boolean, more: Row = {}): Row =>
  filled('verdicts', {
    ...cellOf(study, model, task),
    ...{ loop: 1, step: 'generate', sample: 0, suite: 'base', outcome: passed ? 'pass' : 'wrong_output', ...more },
  });

const plainStudies = ['loops', 'bare', 'chain', 'words', 'detail', 'plain'];
const requirementStudies = ['nfr', 'two', 'update'];

/** Without a requirement; the first phrasing costs no task, the second the next two, so STDEV is 5 / sqrt(2). */
const phrasings = [
  { variant: 'original', setting: 'function-only', dimension: 'function-only', phrasing: null, more: 0 },
  { variant: 'reliability-01', setting: 'nfr-integrated', dimension: 'reliability', phrasing: 'one', more: 0 },
  { variant: 'reliability-02', setting: 'nfr-integrated', dimension: 'reliability', phrasing: 'two', more: 2 },
] as const;

const verdicts = (): Row[] => [
  ...plainStudies.flatMap((study) => each((model, task, passed) => [verdict(study, model, task, passed)])),
  ...requirementStudies.flatMap((study) =>
    phrasings.flatMap(({ variant, setting, more }) =>
      each((model, task) => [verdict(study, model, task, task >= lost(model) + more, { variant, setting })]),
    ),
  ),
];

const scores = (): Row[] =>
  requirementStudies.flatMap((study) =>
    phrasings.flatMap(({ variant, setting, dimension, phrasing, more }) =>
      each((model, task) => {
        const passed = task >= lost(model) + more;
        const cell = { ...cellOf(study, model, task, { variant, setting }), step: 'generate' };
        return [
          filled('nfr_scores', { ...cell, dimension, phrasing, passed, failure: passed ? null : 'wrong_output' }),
        ];
      }),
    ),
  );

/** A task that passes sustains both loops; the others none, except task 39, which sustains one with Sim 0.5. */
const loops = (): Row[] =>
  ['loops', 'bare'].flatMap((study) =>
    each((model, task, passed) => {
      const sustained = task === 39 ? 1 : passed ? 2 : 0;
      const [similarity, ended] = [sustained === 1 ? 0.5 : null, sustained === 2 ? 'survived' : 'code_failed'];
      return [
        filled('loops', { ...cellOf(study, model, task), sustained_loops: sustained, similarity, ended_by: ended }),
      ];
    }),
  );

const chains = (): Row[] =>
  each((model, task, passed) => [
    filled('chains', {
      ...cellOf('chain', model, task),
      ...{ steps: 2, sustained_steps: passed ? 2 : 0, passed_steps: 2, ended_by: passed ? 'survived' : 'code_failed' },
    }),
  ]);

/** The original always passes; the variants of the tasks that a model fails never do. */
const prompts = (): Row[] =>
  each((model, task, passed) => {
    const scored = (variant: string, repetition: number, distance: number | null, pass: number): Row =>
      filled('prompt_scores', {
        ...cellOf('words', model, task, { variant, repetition }),
        ...{ distance, n_samples: 10, n_passed: pass, n_excluded: 0, n_without_logprobs: 0 },
        ...{ light_samples: 10, light_passed: pass, pass_rate: pass / 10, soft_exec: pass / 10 },
      });
    const variants = [0.1, 0.2, 0.3].map((distance) => scored(`v-${distance}`, 0, distance, passed ? 10 : 0));
    return [scored('original', 0, null, 10), scored('original', 1, null, 10), ...variants];
  });

/** The whole text passes always, a summary of 50 words with the tasks that a model passes. */
const details = (): Row[] =>
  each((model, task, passed) =>
    (
      [
        ['minimal', null, false],
        ['summary', 50, passed],
        ['maximal', null, true],
      ] as const
    ).map(([augmentation, level, pass]) =>
      filled('prompt_passes', {
        ...cellOf('detail', model, task, { variant: `${augmentation}-${level}` }),
        ...{ augmentation, level, draw: null, words: 10, passed: pass },
      }),
    ),
  );

/** In study plain: 1 cent and 2 seconds a call, but m5 takes 3 cents, and the price of m4 is unknown. */
const calls = (): Row[] =>
  each((model, task) => [
    filled('calls', {
      ...cellOf('plain', model, task),
      ...{ loop: 1, step: 'generate', sample: 0, page: 'p', call: 100 * models.indexOf(model) + task, call_key: 'k' },
      ...{ ask: 0, n: 1, role: 'study', answering_model: model, parameters_sent: '{}', status: 'answered', used: true },
      ...{ cost_basis: models.indexOf(model) < 2 ? 'free' : 'reported', started_at: 0, latency_ms: 2000 },
      usd: model === 'm4' ? null : model === 'm5' ? 0.03 : 0.01,
    }),
  ]);

/** In study nfr, of which no answer to the last ten tasks of m1 was judged. */
const hidden = (row: Row): Row => {
  const isHidden = row['study'] === 'nfr' && row['model'] === 'm1' && tasks.indexOf(String(row['task_id'])) >= 30;
  if (!isHidden) return row;
  return 'outcome' in row ? { ...row, outcome: 'not_run' } : { ...row, passed: null, failure: 'not_run' };
};

/** Writes the run and gives its folder. @param isOpen whether some answers of study nfr could not be judged */
export async function writeHandCards(folder: string, isOpen = false): Promise<string> {
  const page = (table: TableName, rows: readonly Row[], number: number): FixturePart => ({
    ...{ table, rows },
    page: `all/m/r1p${String(number).padStart(4, '0')}`,
  });
  const spec = parseSpec(specText, 'all.yaml');
  await writeRun(
    join(folder, 'all'),
    [
      page('verdicts', isOpen ? verdicts().map(hidden) : verdicts(), 0),
      page('nfr_scores', isOpen ? scores().map(hidden) : scores(), 1),
      page('loops', loops(), 2),
      page('chains', chains(), 3),
      page('prompt_scores', prompts(), 4),
      page('prompt_passes', details(), 5),
      page('calls', calls(), 6),
      {
        ...{ table: 'models', page: 'run' },
        rows: models.map((model) => filled('models', { run: 'all', model, simulated: model === 'm0' })),
      },
    ],
    { runId: 'all', spec, state: 'running' },
  );
  return join(folder, 'all');
}
