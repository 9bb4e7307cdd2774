/**
 * every_eval_ever 0.3 (schemas/eval.schema.json, instance_level_eval.schema.json): the aggregate of one evaluation with
 * the pass rate on each suite, and its answers one a line in a second file, under the names that its validator wants.
 */
import { hash } from 'node:crypto';
import { boundedMeanInterval, boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import type { ExportedFolder, WriteFolder } from './export-format.ts';
import { type Evaluation, evaluated, type NumberedAnswer } from './evaluation.ts';
import { passedOf } from './judged-answers.ts';

const schemaVersion = '0.3.0';
const every = 'all suites';

export const everyEvalEver: WriteFolder = async (source) => {
  const { evaluation, answers } = await evaluated(source);
  return everyEvalEverFiles(evaluation, answers);
};

export async function everyEvalEverFiles(
  evaluation: Evaluation,
  answers: AsyncIterable<NumberedAnswer>,
): Promise<ExportedFolder> {
  const shares = createShares();
  const lines: string[] = [];
  let written = 0;
  for await (const answer of answers) {
    // A suite has its own result of an answer that another suite could not judge.
    if (answer.of_rate) shares.add(answer);
    if (!answer.counted) continue;
    written += 1;
    lines.push(...instanceLines(evaluation, answer));
  }
  const path = pathOf(evaluation);
  const samples = { path: `${path}_samples.jsonl`, text: lines.join('') };
  const details = {
    ...{ format: 'jsonl', file_path: samples.path, hash_algorithm: 'sha256' },
    ...{ checksum: hash('sha256', samples.text), total_rows: lines.length },
  };
  const aggregate = {
    ...aggregateOf(evaluation, shares),
    ...(lines.length > 0 && { detailed_evaluation_results: details }),
  };
  const files = [
    { path: `${path}.json`, text: `${JSON.stringify(aggregate, null, 2)}\n` },
    ...(lines.length > 0 ? [samples] : []),
  ];
  return { answers: written, files };
}

/** `data/benchmark/developer/model/UUID`: names for files on any system, and an id of version 4 that repeats. */
function pathOf(evaluation: Evaluation): string {
  const [developer = '', ...model] = modelId(evaluation).split('/');
  const parts = [evaluation.benchmark, developer, model.join('_')].map(portable);
  const digits = hash('sha256', evaluationId(evaluation));
  const groups = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `a${digits.slice(17, 20)}`];
  return ['data', ...parts, [...groups, digits.slice(20, 32)].join('-')].join('/');
}

/** The suffix also keeps apart what Windows reserves (`con`) and the name `data`. */
const portable = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .replace(/[. ]+$/, '_')
    .replace(/^(data|con|prn|aux|nul|com\d|lpt\d)(?=$|\.)/i, '$1_');

/** In the form `developer/model`; the run does not know who made a model. */
const modelId = ({ requestedModel: name }: Evaluation): string => (name.includes('/') ? name : `unknown/${name}`);

const seconds = (time: string): string => String(Math.floor(Date.parse(time) / 1000));

const evaluationId = (one: Evaluation): string =>
  [one.study, one.benchmark, modelId(one).replaceAll('/', '_'), one.uuid].join('/');

const resultId = (suite: string): string => `pass_rate/${suite.replaceAll(' ', '_')}`;

function aggregateOf(evaluation: Evaluation, shares: Shares): object {
  return {
    schema_version: schemaVersion,
    evaluation_id: evaluationId(evaluation),
    evaluation_timestamp: seconds(evaluation.startedAt),
    retrieved_timestamp: seconds(evaluation.finishedAt),
    source_metadata: {
      ...{ source_name: `evenkeel run ${evaluation.run}`, source_type: 'evaluation_run' },
      ...{ source_organization_name: 'unknown', evaluator_relationship: 'other' },
    },
    eval_library: { name: 'evenkeel', version: evaluation.programVersion },
    model_info: {
      ...{ name: evaluation.model, id: modelId(evaluation), inference_platform: evaluation.provider },
      additional_details: {
        ...{ deployment_type: 'unknown', model_availability: 'unknown' },
        simulated: String(evaluation.simulated),
      },
    },
    evaluation_results: [...shares.bySuite()].map(([suite, tasks]) => resultOf(evaluation, suite, tasks)),
  };
}

/** The pass rate is the mean over tasks of the share of a task's answers that pass, as everywhere in evenkeel. */
function resultOf(evaluation: Evaluation, suite: string, tasks: readonly number[]): object {
  const interval = boundedMeanInterval(tasks, { lo: 0, hi: 1 });
  return {
    evaluation_result_id: resultId(suite),
    evaluation_name: `${evaluation.study} ${evaluation.benchmark} ${suite}`,
    source_data: {
      ...{ dataset_name: evaluation.benchmark, source_type: 'other' },
      additional_details: { format: evaluation.benchmarkFormat, sha256: evaluation.benchmarkSha256 },
    },
    metric_config: {
      evaluation_description: `Mean over tasks of the share of answers that pass ${suite}`,
      ...{ metric_id: 'pass_rate', metric_name: 'pass rate', metric_kind: 'pass_rate', metric_unit: 'proportion' },
      ...{ lower_is_better: false, score_type: 'continuous', min_score: 0, max_score: 1 },
    },
    score_details: {
      score: tasks.reduce((sum, share) => sum + share, 0) / tasks.length,
      uncertainty: {
        ...(interval !== null && {
          confidence_interval: {
            ...{ lower: interval.lo, upper: interval.hi, confidence_level: 0.95, method: boundedMeanMethod },
          },
        }),
        num_samples: tasks.length,
      },
    },
  };
}

interface Shares {
  add(answer: NumberedAnswer): void;
  /** By suite, the share of each task's answers that pass. */
  bySuite(): Map<string, number[]>;
}

function createShares(): Shares {
  const counts = new Map([[every, new Map<string, { passed: number; judged: number }>()]]);
  const count = (suite: string, task: string, passed: boolean | null): void => {
    if (passed === null) return;
    const tasks = counts.get(suite) ?? new Map<string, { passed: number; judged: number }>();
    const { passed: before, judged } = tasks.get(task) ?? { passed: 0, judged: 0 };
    tasks.set(task, { passed: before + (passed ? 1 : 0), judged: judged + 1 });
    counts.set(suite, tasks);
  };
  return {
    add: ({ task_id: task, outcome, suites }) => {
      count(every, task, passedOf(outcome));
      for (const suite of suites) count(suite.suite, task, passedOf(suite.outcome));
    },
    bySuite: () =>
      new Map(
        [...counts]
          .filter(([, tasks]) => tasks.size > 0)
          .map(([suite, tasks]) => [suite, [...tasks.values()].map((of) => of.passed / of.judged)]),
      ),
  };
}

/** One line per answer, for the result on all suites; what evenkeel could not judge or does not count has none. */
function* instanceLines(evaluation: Evaluation, answer: NumberedAnswer): Generator<string> {
  const passed = passedOf(answer.outcome);
  if (passed === null) return;
  const raw = promptText(answer);
  const { reply, solution, input_tokens: input, output_tokens: output, latency_ms: latency } = answer;
  yield `${JSON.stringify({
    schema_version: `instance_level_eval_${schemaVersion}`,
    ...{ evaluation_id: evaluationId(evaluation), model_id: modelId(evaluation) },
    evaluation_name: `${evaluation.study} ${evaluation.benchmark} ${every}`,
    evaluation_result_id: resultId(every),
    sample_id: answer.source_task_id,
    sample_hash: hash('sha256', raw),
    interaction_type: 'single_turn',
    input: { raw, reference: [] },
    output: { raw: [reply] },
    messages: null,
    answer_attribution: [
      {
        ...{ turn_idx: 0, source: 'output.raw', extracted_value: solution ?? '' },
        ...{ extraction_method: 'custom', is_terminal: true },
      },
    ],
    evaluation: { score: passed ? 1 : 0, is_correct: passed },
    ...(input !== null &&
      output !== null && {
        token_usage: { input_tokens: input, output_tokens: output, total_tokens: input + output },
      }),
    ...(latency !== null && { performance: { latency_ms: latency } }),
    metadata: metadataOf(answer),
  })}\n`;
}

/** All values are texts. */
function metadataOf(answer: NumberedAnswer): Record<string, string> {
  const { task_id, variant, setting, repetition, loop, sample, outcome } = answer;
  const facts = { task_id, variant, setting, repetition, loop, sample, outcome, epoch: answer.epoch };
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]));
}

const promptText = ({ messages }: NumberedAnswer): string =>
  (messages === null ? [] : (JSON.parse(messages) as { content: string }[])).map(({ content }) => content).join('\n\n');
