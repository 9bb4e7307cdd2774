/**
 * A PromptSE run of three models on four tasks: an original drawn twice, and at each distance a calm variant that
 * changes nothing and an anxious one whose samples fail for `touchy`. Two samples each, their confidences 0.95 (passed)
 * and 0.2 (failed); `closed` gives none.
 */
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Row, TableName } from '../../../schemas/tables.ts';
import type { DerivedTables } from '../../../studies/study-results.ts';
import { writeRun } from '../run-fixture.ts';

/** As long as the names of instruct variants are. */
export const closedModel = 'closed-model-of-a-long-name-that-has-no-logprobs-instruct-2026';
const models = [
  {
    model: 'steady',
    family: 'Alpha',
    size_b: 7,
    passes: (emotion: string | null) => emotion !== 'furious',
    logprobs: true,
  },
  {
    model: 'touchy',
    family: 'Beta',
    size_b: 34,
    passes: (emotion: string | null) => emotion !== 'anxious',
    logprobs: true,
  },
  {
    model: closedModel,
    family: 'Beta',
    size_b: 1.5,
    passes: (emotion: string | null) => emotion !== 'calm',
    logprobs: false,
  },
] as const;
const tasks = ['T/1', 'T/2', 'T/3', 'T/4'];
const prompts = [
  ...[0, 1].map((repetition) => ({ variant: 'original', repetition, distance: null, emotion: null })),
  ...[0.1, 0.2, 0.3].flatMap((distance) =>
    ['calm', 'anxious'].map((emotion, index) => ({
      variant: `d${distance}-0${index + 1}`,
      repetition: 0,
      distance,
      emotion,
    })),
  ),
];

const key = { run: 'r', study: 'moods', benchmark: 'tiny', language: 'python', setting: 'default' };
const original = (task: string): string =>
  `def f(x):\n    """Return the sum of all numbers of ${task.slice(2)} given lists."""\n`;

const asked = models.flatMap((model) =>
  tasks.flatMap((task_id) => prompts.map((prompt) => ({ model, task_id, prompt }))),
);

/** `lightPassed`: of the two samples that Light takes, those that passed. */
const scoreRow = (
  { model: { model, passes, logprobs }, task_id, prompt }: (typeof asked)[number],
  lightPassed: number | null,
): Row => {
  const rate = passes(prompt.emotion) ? 1 : 0;
  const { variant, repetition, distance, emotion } = prompt;
  return {
    ...{ ...key, model, task_id, variant, repetition, distance, emotion, edit_distance: distance },
    ...{ n_samples: 2, n_passed: 2 * rate, n_excluded: 0, n_without_logprobs: logprobs ? 0 : 2, pass_rate: rate },
    ...{ light_samples: 2, light_passed: lightPassed ?? 2 * rate, soft_exec: logprobs ? rate : null, simulated: true },
  };
};

const samples = asked.flatMap(
  ({ model: { model, passes, logprobs }, task_id, prompt: { variant, repetition, emotion } }) =>
    [0, 1].map((sample) => {
      const passed = passes(emotion);
      return {
        ...{ cell: { ...key, model, task_id, variant, repetition, loop: 1, step: 'generate', sample }, passed },
        logprobs: logprobs ? [Math.log(passed ? 0.95 : 0.2), Math.log(passed ? 0.95 : 0.2)] : null,
      };
    }),
);

const sampleRow = ({ cell, logprobs }: (typeof samples)[number]): Row => ({
  ...{ ...cell, ask: 0, answering_model: cell.model, reply: 'pass', reply_status: 'ok', simulated: true },
  ...{
    logprob_sum: logprobs?.reduce((sum, value) => sum + value, 0) ?? null,
    logprob_tokens: logprobs?.length ?? null,
  },
});

const variants = tasks.flatMap((task_id) =>
  prompts
    .filter(({ distance }) => distance !== null)
    .map(
      ({ variant, distance, emotion }, index): Row => ({
        ...{
          ...key,
          task_id,
          variant,
          distance,
          emotion,
          parent_variant: 'original',
          kind: 'style',
          rewriter: 'rules',
        },
        ...{ technical: 'algorithm_expert', experience: 'junior_explorer', collaboration: 'logic_driven' },
        ...{ template_version: 't', status: 'accepted', reason: null, attempts: 1 },
        ...{
          words: 8 + index + Number(task_id.slice(2)),
          edit_distance: distance,
          technical_share: 0.1 + 0.05 * ((index * 7) % 5),
        },
        prompt: original(task_id).replace('Return', index % 2 === 0 ? 'Calmly, return' : 'Oh dear, return'),
      }),
    ),
);

/**
 * In `folder`, as a run that has ended but whose derived tables are not written: they are made for the report.
 * @param derived if they are given, the run is complete and has these
 */
export const writeMoodsRun = (
  folder: string,
  lightPassed: number | null = null,
  derived: DerivedTables = {},
): Promise<Manifest> =>
  writeRun(
    folder,
    [
      {
        table: 'models',
        page: 'run/models',
        rows: models.map(
          ({ model, family, size_b }): Row => ({
            run: 'r',
            model,
            family,
            size_b,
            provider: 'simulated',
            kind: 'simulated',
            endpoint: 'x',
            requested_model: model,
            roles: 'study',
            simulated: true,
          }),
        ),
      },
      {
        table: 'tasks',
        page: 'run/tasks',
        rows: tasks.map(
          (task_id): Row => ({
            ...key,
            task_id,
            prompt: original(task_id),
            entry_point: 'f',
            source_task_id: task_id,
            record_sha256: 'a'.repeat(64),
          }),
        ),
      },
      { table: 'prompt_scores', page: 'm/1', rows: asked.map((one) => scoreRow(one, lightPassed)) },
      { table: 'samples', page: 'm/1', rows: samples.map(sampleRow) },
      {
        table: 'verdicts',
        page: 'm/1',
        rows: samples.map(
          ({ cell, passed }): Row => ({
            ...cell,
            suite: 'base',
            outcome: passed ? 'pass' : 'wrong_output',
            simulated: true,
          }),
        ),
      },
      {
        table: 'logprobs',
        page: 'm/1',
        rows: samples.flatMap(({ cell, logprobs }): Row[] =>
          logprobs === null ? [] : [{ ...cell, ask: 0, logprobs }],
        ),
      },
      { table: 'variants', page: 'run/variants', rows: variants },
      ...Object.entries(derived).map(([table, rows]) => ({ table: table as TableName, page: 'run', rows })),
    ],
    {
      state: Object.keys(derived).length === 0 ? 'running' : 'complete',
      finishedAt: null,
      plan: [
        {
          file: 'inputs/plan.json',
          sha256: 'a'.repeat(64),
          revision: 1,
          createdAt: '2026-11-20T20:00:00.000Z',
          pages: 1,
          cells: asked.length,
        },
      ],
      spec: {
        ...{ name: 'r', seed: 7, providers: {}, reuse: [] },
        models: models.map(({ model }) => ({ id: model, provider: 'simulated', strictVersion: false, study: true })),
        benchmarks: { tiny: { format: 'evenkeel', path: 'tiny.jsonl' } },
        studies: [
          {
            ...{ name: 'moods', kind: 'promptse', benchmark: 'tiny', repetitions: 2 },
            settings: {
              ...{
                rewriter: 'rules',
                rewriterTemperature: 0.7,
                seed: 0,
                variants: 2,
                draws: 'balanced',
                maxDraws: 12,
                contexts: false,
                renameParameters: false,
              },
              ...{ samples: 2, logprobs: true, temperature: 0.2, topP: null, maxTokens: 1024 },
              ...{ confidenceBins: 10, highConfidence: 0.9, lowConfidence: 0.5, deltaUnit: 'task' },
            },
          },
        ],
      },
    },
  );
