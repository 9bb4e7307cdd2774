/**
 * Every table of a run: its columns with type, unit, meaning, null rule and stability. The Parquet writer, the DuckDB views, `query` without
 * SQL and docs/tables.md all come from here. Columns are only ever added; a change of meaning is a new schema version.
 */

export type ColumnType = 'string' | 'int' | 'float' | 'bool' | 'timestamp' | 'intList' | 'floatList';

export interface Column {
  readonly type: ColumnType;
  readonly meaning: string;
  readonly unit?: string;
  /** What null means; a column without it is never null. */
  readonly nullWhen?: string;
  /** Volatile columns (latency, times, attempts) may differ between two equal runs. */
  readonly volatile?: true;
}

export interface Table {
  readonly name: string;
  readonly meaning: string;
  readonly schemaVersion: number;
  /** Columns whose values together are unique over all parts. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Column>>;
}

/** A row as the study's pure code makes it: column name to value; timestamps are milliseconds since 1970 UTC. */
export type Row = Readonly<Record<string, string | number | boolean | null | readonly number[]>>;

const text = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'string', meaning, ...more });
const int = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'int', meaning, ...more });
const float = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'float', meaning, ...more });
const bool = (meaning: string, more: Partial<Column> = {}): Column => ({ type: 'bool', meaning, ...more });

/** The cell key K: one cell is one task under one model, variant, setting and repetition. */
const cellKey = {
  run: text('Run id.'),
  study: text('Study name in the spec.'),
  model: text('The model under study, by its id in the spec.'),
  benchmark: text('Benchmark name in the spec.'),
  task_id: text('Canonical task id, e.g. MBPP/2.'),
  language: text('Programming language of the answer.'),
  variant: text('Prompt variant; "original" is the unchanged prompt.'),
  setting: text('Setting of the study; "default" where it has one only.'),
  repetition: int('Repetition of the whole cell, from 0.'),
} as const satisfies Record<string, Column>;
const cellKeyNames = Object.keys(cellKey);

const sampleKey = {
  loop: int('Loop within the study, from 1; 1 for studies without loops.'),
  step: text('Kind of question: generate, summarize, judge, ...'),
  sample: int('Index of the draw, from 0.'),
} as const satisfies Record<string, Column>;

const estimate = (what: string) => ({
  [what]: float(`Point estimate of ${what}.`, { nullWhen: 'it is undefined; see reason' }),
});

/** An estimate and its interval, as three columns. */
const interval = <Name extends string>(name: Name, meaning: string) =>
  ({
    [name]: float(`${meaning}.`, { nullWhen: 'it is undefined; see reason' }),
    [`${name}_lo`]: float('Lower end of its interval.', { nullWhen: `${name} is null` }),
    [`${name}_hi`]: float('Upper end of its interval.', { nullWhen: `${name} is null` }),
  }) as Record<Name | `${Name}_lo` | `${Name}_hi`, Column>;

export const tables = {
  models: {
    name: 'models',
    meaning: 'Models of the run, with what the spec says of them.',
    schemaVersion: 1,
    key: ['run', 'model'],
    columns: {
      run: cellKey.run,
      model: cellKey.model,
      provider: text('Provider account of the spec, or simulated, or replay.'),
      kind: text('openai, simulated or replay.'),
      endpoint: text('Base URL without credentials, profile hash, or the sha256 of the recording.'),
      requested_model: text('Name asked for at the endpoint.'),
      family: text('Model family.', { nullWhen: 'the spec does not say' }),
      size_b: float('Parameters.', { unit: '1e9', nullWhen: 'the spec does not say' }),
      training: text('Kind of training.', { nullWhen: 'the spec does not say' }),
      version: text('Version label.', { nullWhen: 'the spec does not say' }),
      roles: text('What the model does in this run: study, judge, ... (comma separated).'),
      simulated: bool('True for simulated models; such rows are never evidence about a real model.'),
    },
  },
  settings: {
    name: 'settings',
    meaning: 'What each study asked under each of its settings.',
    schemaVersion: 1,
    key: ['run', 'study', 'setting'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      setting: cellKey.setting,
      kind: text('Kind of study.'),
      temperature: float('Sampling temperature.', { nullWhen: 'not sent' }),
      top_p: float('Nucleus sampling mass.', { nullWhen: 'not sent' }),
      max_tokens: int('Completion limit.', { unit: 'tokens', nullWhen: 'not sent' }),
      max_loops: int('M: loops after which a task counts as survived.', { nullWhen: 'the study has no loops' }),
      prompt_version: text('Version of the prompt texts.'),
      judge: text('Id of the judging model.', { nullWhen: 'there is no judge' }),
    },
  },
  tasks: {
    name: 'tasks',
    meaning: 'Tasks of the run.',
    schemaVersion: 1,
    key: ['run', 'benchmark', 'task_id', 'language'],
    columns: {
      run: cellKey.run,
      benchmark: cellKey.benchmark,
      task_id: cellKey.task_id,
      language: cellKey.language,
      source_task_id: text("The task's id in its source file."),
      entry_point: text('Function that the suites call.'),
      prompt: text('The problem as the benchmark words it.'),
      record_sha256: text('SHA-256 of the normalised record.'),
    },
  },
  suites: {
    name: 'suites',
    meaning: 'Test suites of the tasks and how the reference does on them (the ceiling).',
    schemaVersion: 1,
    key: ['run', 'benchmark', 'task_id', 'language', 'suite'],
    columns: {
      run: cellKey.run,
      benchmark: cellKey.benchmark,
      task_id: cellKey.task_id,
      language: cellKey.language,
      suite: text('Suite name, e.g. base, plus.'),
      n_cases: int('Cases in the suite.'),
      reference_outcome: text("Outcome of the benchmark's own reference on this suite."),
      limits: text('Limits that programs get, JSON, with their rule.'),
      reference_wall_ms: float("The reference's time over the suite.", { unit: 'ms', volatile: true, nullWhen: 'it did not finish' }),
    },
  },
  variants: {
    name: 'variants',
    meaning: 'Prompt variants of each study, the ones that could not be had included.',
    schemaVersion: 1,
    key: ['run', 'study', 'benchmark', 'task_id', 'language', 'variant'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      benchmark: cellKey.benchmark,
      task_id: cellKey.task_id,
      language: cellKey.language,
      variant: text('Name of the variant, as in the cell key.'),
      parent_variant: text('Variant that it was made from.'),
      kind: text('What kind of variation: style (PromptSE).'),
      distance: float('Wanted perturbation distance.', { nullWhen: 'the kind has none' }),
      emotion: text('Emotion of the writer.', { nullWhen: 'the kind has none' }),
      technical: text('Technical orientation of the writer.', { nullWhen: 'the kind has none' }),
      experience: text('Experience level of the writer.', { nullWhen: 'the kind has none' }),
      collaboration: text('Collaboration style of the writer.', { nullWhen: 'the kind has none' }),
      context: text('Condition of work: complexity, collaboration or learning.', { nullWhen: 'the study has no contexts' }),
      rewriter: text('Id of the model that wrote it, rules, or import.'),
      template_version: text('Version of the templates.'),
      status: text('accepted, or missing where no draw kept to the rules: its cells were not asked.'),
      reason: text('Why draws were refused, with counts.', { nullWhen: 'the first draw was accepted' }),
      attempts: int('Draws made.'),
      words: int('Words in its passages.', { nullWhen: 'it is missing' }),
      technical_share: float('Share of these words that are technical terms (data/promptse/technical-terms.json), 0 to 1.', {
        nullWhen: 'it is missing, has no passages, or an older program wrote it',
      }),
      edit_distance: float("Measured: words to change from the original's passages, over the longer one's words, 0 to 1.", {
        nullWhen: 'it is missing',
      }),
      prompt: text('The whole prompt.', { nullWhen: 'it is missing' }),
    },
  },
  prompts: {
    name: 'prompts',
    meaning: 'Every distinct prompt, once per page that used it.',
    schemaVersion: 1,
    key: ['prompt_sha256', 'page'],
    columns: {
      prompt_sha256: text('SHA-256 of the canonical messages.'),
      page: text('Page of the plan whose part holds this row.'),
      messages: text('The messages as JSON: [{role, content}, ...].'),
    },
  },
  calls: {
    name: 'calls',
    meaning: 'Every call sent to a provider: answered, failed and lost ones, used or not.',
    schemaVersion: 1,
    key: ['run', 'page', 'call'],
    columns: {
      ...cellKey,
      ...sampleKey,
      page: text('Page of the plan.'),
      call: int('Intent number in the ledger; counts up over the run.', { volatile: true }),
      call_key: text('SHA-256 of endpoint, model, canonical request and draw; of the first draw where n is more than 1.'),
      ask: int('How often this question was put before (re-asks after an unusable answer), from 0.'),
      n: int('Answers asked for in one request: for the draws from `sample` to `sample` + n - 1.'),
      role: text('study, or the role of another model: judge, ...'),
      answering_model: text('Id of the model that replied.'),
      returned_model: text('Model name in the reply.', { nullWhen: 'the endpoint does not say, or there was no reply' }),
      fingerprint: text('System fingerprint in the reply.', { nullWhen: 'the endpoint does not say, or there was no reply' }),
      parameters_sent: text('Parameters as sent, JSON.'),
      status: text('answered, failed or lost.'),
      used: bool('True where a reply of this call counts.'),
      origin: text('Run that the reply was copied from.', { nullWhen: 'it was asked in this run' }),
      failure: text('Why there was no reply.', { nullWhen: 'there was one', volatile: true }),
      input_tokens: int('Prompt tokens.', { unit: 'tokens', nullWhen: 'not reported' }),
      cached_tokens: int('Prompt tokens served from a cache.', { unit: 'tokens', nullWhen: 'not reported' }),
      output_tokens: int('Completion tokens.', { unit: 'tokens', nullWhen: 'not reported' }),
      reasoning_tokens: int('Hidden reasoning tokens.', { unit: 'tokens', nullWhen: 'not reported' }),
      usd: float('Cost.', { unit: 'USD', nullWhen: 'the price is unknown' }),
      cost_basis: text('reported, estimated (a lost call may have been billed) or free.'),
      price_date: text('Date of the price list.', { nullWhen: 'no price was needed or known' }),
      started_at: { type: 'timestamp', meaning: 'When the call was sent, UTC.', volatile: true },
      latency_ms: float('From sending to reply.', { unit: 'ms', nullWhen: 'there was no reply', volatile: true }),
    },
  },
  samples: {
    name: 'samples',
    meaning: 'Every answer that counts, with its raw text and the code taken from it.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'step', 'ask', 'sample'],
    columns: {
      ...cellKey,
      ...sampleKey,
      ask: int('How often this question was put before, from 0.'),
      answering_model: text('Id of the model that replied.'),
      call_key: text('Key under which it is stored; that of its call, where that asked for this answer first or alone.'),
      prompt_sha256: text('Prompt it answers.'),
      parent_step: text('Step whose sample the prompt was made from.', { nullWhen: 'it was made from the task' }),
      parent_loop: int('Loop of that sample.', { nullWhen: 'it was made from the task' }),
      reply: text('Raw reply, exactly as it came.'),
      reply_status: text('ok, refusal, empty, truncated, content_filter.'),
      extraction: text('How the code was found in the reply.', { nullWhen: 'the step asks for no code' }),
      solution: text('The code taken from the reply.', { nullWhen: 'there is none, or the step asks for no code' }),
      program_sha256: text('SHA-256 of the solution.', { nullWhen: 'there is none' }),
      logprob_sum: float('Sum of the token log-probabilities.', { unit: 'nats', nullWhen: 'not given' }),
      logprob_tokens: int('Tokens in that sum.', { unit: 'tokens', nullWhen: 'not given' }),
      simulated: bool('True when a simulated model answered.'),
    },
  },
  logprobs: {
    name: 'logprobs',
    meaning: 'Token log-probabilities of the samples that have them.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'step', 'ask', 'sample'],
    columns: {
      ...cellKey,
      ...sampleKey,
      ask: int('How often this question was put before, from 0.'),
      logprobs: { type: 'floatList', meaning: 'Log-probability of each completion token.', unit: 'nats' },
    },
  },
  verdicts: {
    name: 'verdicts',
    meaning: 'What each sample came to on each suite.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'step', 'sample', 'suite'],
    columns: {
      ...cellKey,
      ...sampleKey,
      suite: text('Suite name.'),
      execution_id: text('Row of `executions`.', { nullWhen: 'nothing was run (no code)' }),
      outcome: text('Closed list of outcomes; see docs/tables.md.'),
      first_failing_case: int('Index of the first case that failed.', { nullWhen: 'none failed, or nothing was run' }),
      simulated: bool('True when a simulated model answered.'),
    },
  },
  executions: {
    name: 'executions',
    meaning: 'Every distinct program, suite and limits that was run, once per page that used it.',
    schemaVersion: 1,
    key: ['execution_id', 'page'],
    columns: {
      execution_id: text('SHA-256 over program, suite, limits, tier and image.'),
      page: text('Page of the plan whose part holds this row.'),
      program_sha256: text('SHA-256 of the program.'),
      suite: text('Suite name.'),
      outcome: text('Closed list of outcomes.'),
      first_failing_case: int('Index of the first case that failed.', { nullWhen: 'none failed' }),
      detail: text('One line for a person.', { nullWhen: 'there is nothing to say', volatile: true }),
      cpu_ms: float('Processor time.', { unit: 'ms', nullWhen: 'the tier cannot measure it', volatile: true }),
      wall_ms: float('Wall time.', { unit: 'ms', volatile: true }),
      memory_bytes: float('Memory the program added.', { unit: 'bytes', nullWhen: 'the tier cannot measure it', volatile: true }),
      tier: text('Sandbox tier: container, bubblewrap, embedded.'),
      lane: text(
        'isolated: nothing that was expected was where the program ran; batch: the same, in a process shared with other screened programs; assert: test code ran beside it, so the verdict can be forged.',
        { volatile: true },
      ),
      engine: text('Engine with version.'),
      image_digest: text('What the sandbox runs.'),
      limits: text('Limits, JSON, with their rule.'),
    },
  },
  judgements: {
    name: 'judgements',
    meaning: 'Every answer of a judging model and the score read from it.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'ask'],
    columns: {
      ...cellKey,
      loop: int('Sustained loops of the task: prompt l is compared with summary l.'),
      ask: int('How often this question was put before, from 0.'),
      judge: text('Id of the judging model.'),
      score: float('Similarity in [0, 1].', { nullWhen: 'the answer held no score' }),
      reason: text('Why there is no score.', { nullWhen: 'there is one' }),
    },
  },
  loops: {
    name: 'loops',
    meaning: 'EVALOOP: how many loops each cell sustained and what ended it.',
    schemaVersion: 1,
    key: cellKeyNames,
    columns: {
      ...cellKey,
      sustained_loops: int('Loops whose code passed all suites, 0 to M.'),
      ended_by: text('survived, code_failed, no_code, no_summary, or excluded (a limit of ours; not counted).'),
      ended_outcome: text('Outcome of the code that failed.', { nullWhen: 'no code failed' }),
      similarity: float("The judge's Sim for 1 <= l < M, in [0, 1].", {
        nullWhen: 'l is 0 or M, the cell is not counted, no summary came, there is no judge, or no score could be read',
      }),
      similarity_reason: text('Why similarity is null.', { nullWhen: 'it is not' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  asl: {
    name: 'asl',
    meaning: 'EVALOOP: Average Sustainable Loops per model and setting, with intervals (method says how each was made).',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      setting: cellKey.setting,
      judge: text('Id of the judging model; another judge is another score.', { nullWhen: 'there is no judge' }),
      ...estimate('asl'),
      asl_lo: float('Lower end of its interval.', { nullWhen: 'asl is null' }),
      asl_hi: float('Upper end of its interval.', { nullWhen: 'asl is null' }),
      ...estimate('asl_unweighted'),
      asl_unweighted_lo: float('Lower end of its interval.', { nullWhen: 'asl_unweighted is null' }),
      asl_unweighted_hi: float('Upper end of its interval.', { nullWhen: 'asl_unweighted is null' }),
      ...estimate('pass_at_1'),
      pass_at_1_lo: float('Lower end of its interval.', { nullWhen: 'pass_at_1 is null' }),
      pass_at_1_hi: float('Upper end of its interval.', { nullWhen: 'pass_at_1 is null' }),
      absolute_drop: float('pass@1 after loop 1 minus after loop M.', { nullWhen: 'there are no cells' }),
      n_sustained: { type: 'intList', meaning: 'Cells that sustained exactly i loops, i = 0..M.' },
      max_loops: int('M.'),
      level: float('Confidence level of the intervals.'),
      method: text('How the intervals were made.'),
      n: int('Cells that count.'),
      n_excluded: int('Cells left out by limits of ours.'),
      n_unscored: int('Cells with 1 <= l < M whose similarity is null.'),
      reason: text('Why a value is null.', { nullWhen: 'asl is not null' }),
      ceiling: float('Share of the tasks whose own reference passes all suites.', { nullWhen: 'it is not known' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  prompt_scores: {
    name: 'prompt_scores',
    meaning:
      'PromptSE: how the samples of each prompt did. Repetition 0 of the original is the baseline, later ones are its independent redraws.',
    schemaVersion: 1,
    key: cellKeyNames,
    columns: {
      ...cellKey,
      distance: float('Wanted perturbation distance.', { nullWhen: 'it is the original' }),
      emotion: text('Emotion of the writer.', { nullWhen: 'it is the original' }),
      edit_distance: float("Measured word edit distance from the original's passages.", { nullWhen: 'it is the original' }),
      n_samples: int('Samples that count.'),
      n_passed: int('Samples that passed every suite.'),
      n_excluded: int('Samples left out by limits of ours.'),
      n_without_logprobs: int('Samples that came without log-probabilities.'),
      pass_rate: float('n_passed / n_samples.', { nullWhen: 'no sample counts' }),
      light_samples: int('Samples that count for PromptSELight: those among the first lightSamples.', {
        nullWhen: 'an older program wrote it',
      }),
      light_passed: int('Of these, samples that passed every suite.', { nullWhen: 'an older program wrote it' }),
      soft_exec: float("SoftExec: pass weighted by the softmax of the samples' log-probabilities, 0 to 1.", {
        nullWhen: 'a sample has no log-probabilities, or none counts',
      }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  elasticity: {
    name: 'elasticity',
    meaning: 'PromptSE: elasticity of each task at each distance, its noise floor, and the excess over it.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'task_id', 'distance', 'method'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      setting: cellKey.setting,
      task_id: cellKey.task_id,
      distance: float('Perturbation distance.'),
      method: text('full (PromptSE, from SoftExec) or light (PromptSELight, from pass rates).'),
      score_original: float('Score of the original prompt.', { nullWhen: 'it has none; see reason' }),
      score_variants: float('Mean score of the variants.', { nullWhen: 'no variant has one' }),
      pass_rate_original: float("Pass rate of the original's baseline over all its samples.", { nullWhen: 'no sample counts' }),
      n_samples: int('Samples of the original that its score is over.', { nullWhen: 'the original was not sampled' }),
      delta: float('score_variants - score_original, signed.', { nullWhen: 'one of them is null' }),
      ...estimate('elasticity'),
      floor: float('Elasticity of a model that wording does not touch, at the same number of samples.', {
        nullWhen: 'there are no redraws of the original',
      }),
      excess: float('elasticity - floor: 0 when wording changes no more than chance, negative when it does.', {
        nullWhen: 'elasticity or floor is null',
      }),
      n_variants: int('Variants that count.'),
      n_excluded: int('Variants without a score.'),
      reason: text('Why elasticity is null.', { nullWhen: 'it is not' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
  auc_e: {
    name: 'auc_e',
    meaning: 'PromptSE: one summary row per model and method, over the tasks that have an elasticity at all three distances.',
    schemaVersion: 1,
    key: ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'method'],
    columns: {
      run: cellKey.run,
      study: cellKey.study,
      model: cellKey.model,
      benchmark: cellKey.benchmark,
      language: cellKey.language,
      setting: cellKey.setting,
      method: text('full (PromptSE, from SoftExec) or light (PromptSELight, from pass rates).'),
      family: text('Model family.', { nullWhen: 'the spec does not say' }),
      size_b: float('Parameters.', { unit: '1e9', nullWhen: 'the spec does not say' }),
      ...interval('pass_at_1', "Mean pass rate of the original prompt's samples"),
      score_original: float('Mean score of the original.', { nullWhen: 'no task counts' }),
      score_d01: float('Mean score of the variants at 0.1.', { nullWhen: 'no task counts' }),
      score_d02: float('Mean score of the variants at 0.2.', { nullWhen: 'no task counts' }),
      score_d03: float('Mean score of the variants at 0.3.', { nullWhen: 'no task counts' }),
      ...interval('e_d01', 'E(0.1), mean elasticity'),
      ...interval('e_d02', 'E(0.2), mean elasticity'),
      ...interval('e_d03', 'E(0.3), mean elasticity'),
      floor_d01: float('Noise floor of E(0.1).', { nullWhen: 'there are no redraws of the original' }),
      floor_d02: float('Noise floor of E(0.2).', { nullWhen: 'there are no redraws of the original' }),
      floor_d03: float('Noise floor of E(0.3).', { nullWhen: 'there are no redraws of the original' }),
      ...interval('excess_d01', 'E(0.1) over its floor'),
      ...interval('excess_d02', 'E(0.2) over its floor'),
      ...interval('excess_d03', 'E(0.3) over its floor'),
      ...interval('auc_e', '(E(0.1) + 4 E(0.2) + E(0.3)) / 9, as published; at most 2/3'),
      ...interval('auc_e_normalized', 'The same over 6, in [0, 1]'),
      auc_e_floor: float('Noise floor of auc_e.', { nullWhen: 'there are no redraws of the original' }),
      ...interval('auc_e_excess', 'auc_e over its floor'),
      level: float('Confidence level of the intervals.'),
      interval_method: text('How the intervals were made.'),
      samples: int('Samples of a prompt that its score is over.', { nullWhen: 'no task counts' }),
      n: int('Tasks that count.'),
      n_excluded: int('Tasks without an elasticity at some distance.'),
      reason: text('Why auc_e is null.', { nullWhen: 'it is not' }),
      simulated: bool('True when the model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;

export type TableName = keyof typeof tables;
