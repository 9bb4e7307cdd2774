/** Tables of every run: what was planned, asked, answered and judged. */
import { answerColumns } from './answer-columns.ts';
import { bool, float, int, text, type Table, volatile } from './column.ts';
import { cellKey, cellKeyNames, sampleKey } from './keys.ts';

const { run: _run, ...withoutRun } = cellKey;
const firstToAsk = 'if several cells share an answer, it is recorded for the one that asked first';

const earlierPages = 'a run that an older program began lacks it in its first pages';

export const runTables = {
  models: {
    name: 'models',
    meaning: 'Models of the run, with the facts that the spec states.',
    schemaVersion: 1,
    key: ['run', 'model'],
    columns: {
      run: cellKey.run,
      model: cellKey.model,
      provider: text('Account in the spec, or simulated, or replay.'),
      kind: text('openai, simulated or replay.'),
      endpoint: text(
        'Base URL without credentials, hash of the profile, or SHA-256 of the recording when the run first used it.',
      ),
      requested_model: text('Model name sent to the endpoint.'),
      family: text('Model family.', { nullWhen: 'the spec does not say' }),
      size_b: float('Number of parameters.', { unit: '1e9', nullWhen: 'the spec does not say' }),
      training: text('Kind of training.', { nullWhen: 'the spec does not say' }),
      version: text('Version label.', { nullWhen: 'the spec does not say' }),
      effort: text('Reasoning effort that the model’s parameters set.', {
        nullWhen: 'they set none, or an early version wrote the row',
      }),
      roles: text('Roles of the model in this run: study, judge, ... (comma separated).'),
      other_models: text('Model names in replies that differ from the requested one, comma separated.', {
        nullWhen: 'there are none',
      }),
      simulated: bool('True for simulated models; such rows are never evidence about a real model.'),
    },
  },
  settings: {
    name: 'settings',
    meaning: 'Parameters of each study under each of its settings.',
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
      effort: text('Reasoning effort at which the study asks the models under study.', {
        nullWhen: 'the study sets none, or an early version wrote the row',
      }),
      max_loops: int('M: loops after which a task counts as survived.', { nullWhen: 'the study has no loops' }),
      prompt_version: text('Version of the prompt texts.'),
      judge: text('Id of the judging model; several are separated by commas.', { nullWhen: 'there is no judge' }),
      judge_repeats: int('How often each judge scores a break.', {
        nullWhen: 'there is no judge, or an earlier version made the row',
      }),
      summary_prompt: text('Summary prompt, by its name in docs/studies/evaloop.md.', {
        nullWhen: 'the study has no loops, or its pair is not summary',
      }),
      pair: text('What the loop alternates with code: summary, pseudocode, tests; or prose_pseudocode.', {
        nullWhen: 'the study has no loops',
      }),
      simulated: bool('True when a judging model is simulated.', { nullWhen: 'there is no judge' }),
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
      prompt: text('The problem in the benchmark’s words.', { holds: ['prompts', 'data-sets'] }),
      record_sha256: text('SHA-256 of the normalised record.'),
      plain_sha256: text(
        'SHA-256 of that record without a judging rule of the spec: equal where runs differ only in the rule.',
        { nullWhen: 'an early version wrote the row' },
      ),
      problem_sha256: text('SHA-256 of the record without its suites: prompt, entry point, reference and so on.', {
        nullWhen: 'an early version wrote the row',
      }),
      left_out: text('Studies that exclude the task because its reference takes longer than their maxReferenceMs.', {
        volatile: true,
        nullWhen: 'no study excludes it',
      }),
    },
  },
  suites: {
    name: 'suites',
    meaning: 'Test suites of the tasks, with the outcome of the reference on each (the ceiling).',
    schemaVersion: 1,
    key: ['run', 'benchmark', 'task_id', 'language', 'suite'],
    columns: {
      run: cellKey.run,
      benchmark: cellKey.benchmark,
      task_id: cellKey.task_id,
      language: cellKey.language,
      suite: text('Suite name, e.g. base, plus.'),
      n_cases: int('Cases in the suite.'),
      n_cases_judged: int(
        'Cases that count: all if the suite states expected values, else those for which the reference gives an ' +
          'output. The others are excluded.',
        { nullWhen: 'an early version wrote the row' },
      ),
      tests_sha256: text(
        'SHA-256 of the suite’s cases: inputs, expected values, how they are compared, test code, and its own ' +
          'reference; without its name and a judging rule of the spec.',
        { nullWhen: 'an early version wrote the row' },
      ),
      reference_outcome: text("Outcome of the benchmark's own reference on this suite."),
      limits: text('Limits of programs, as JSON, with the rule they follow.'),
      reference_wall_ms: float("The reference's time over the suite.", {
        unit: 'ms',
        volatile: true,
        nullWhen: 'the reference did not finish',
      }),
    },
  },
  prompts: {
    name: 'prompts',
    meaning: 'Every distinct prompt; one row per page that used it.',
    schemaVersion: 1,
    key: ['prompt_sha256', 'page'],
    columns: {
      prompt_sha256: text('SHA-256 of the canonical messages.'),
      page: text('Page of the plan whose part holds this row.'),
      messages: text('The messages as JSON: [{role, content}, ...].', { holds: ['prompts', 'replies', 'data-sets'] }),
    },
  },
  calls: {
    name: 'calls',
    meaning: 'Every call sent to a provider: answered, failed or lost, used or not.',
    schemaVersion: 1,
    key: ['run', 'page', 'call'],
    columns: {
      run: cellKey.run,
      ...volatile(withoutRun, firstToAsk),
      ...volatile(sampleKey, firstToAsk),
      page: text('Page of the plan.', { volatile: firstToAsk }),
      call: int('Number of the call in the ledger; increases over the run.', { volatile: true }),
      call_key: text('SHA-256 of endpoint, model, canonical request and draw (the first draw if n is more than 1).'),
      ask: int('How often this question was asked before (it is asked again after an unusable answer), from 0.', {
        volatile: firstToAsk,
      }),
      n: int('Answers requested at once: the draws from `sample` to `sample` + n - 1.'),
      role: text('study, or the role of another model: judge, ...', { volatile: firstToAsk }),
      answering_model: text('Id of the model that replied.'),
      returned_model: text('Model name in the reply.', {
        nullWhen: 'the endpoint does not say, or there was no reply',
      }),
      fingerprint: text('System fingerprint in the reply.', {
        nullWhen: 'the endpoint does not say, or there was no reply',
      }),
      parameters_sent: text('Parameters as sent, JSON, under their names in a spec.'),
      effort: text('Reasoning effort that was sent.', { nullWhen: 'none was sent, or an early version wrote the row' }),
      status: text('answered, failed or lost.'),
      used: bool('True if a reply of this call counts.'),
      origin: text('Run that asked for the reply, if it was copied from another run.', {
        nullWhen: 'this run asked for it',
      }),
      failure: text('Why there was no reply.', {
        nullWhen: 'there was a reply',
        volatile: true,
        holds: ['prompts', 'replies'],
      }),
      input_tokens: int('Prompt tokens.', { unit: 'tokens', nullWhen: 'not reported' }),
      cached_tokens: int('Prompt tokens served from a cache.', { unit: 'tokens', nullWhen: 'not reported' }),
      output_tokens: int('Completion tokens.', { unit: 'tokens', nullWhen: 'not reported' }),
      reasoning_tokens: int('Hidden reasoning tokens.', { unit: 'tokens', nullWhen: 'not reported' }),
      cache_write_tokens: int('Prompt tokens written to a cache.', { unit: 'tokens', nullWhen: 'not reported' }),
      input_audio_tokens: int('Audio tokens in the prompt.', { unit: 'tokens', nullWhen: 'not reported' }),
      output_audio_tokens: int('Audio tokens in the completion.', { unit: 'tokens', nullWhen: 'not reported' }),
      usage_reported: text(
        'The usage that the endpoint reported, as JSON, if a count is higher than possible; the token columns then ' +
          'hold the highest possible counts. What is no whole number from 0 counts as not reported.',
        { nullWhen: 'no count is too high' },
      ),
      usd: float('Cost.', { unit: 'USD', nullWhen: 'the price is unknown' }),
      cost_basis: text('reported, estimated (of a call that was lost, or whose reply has no usage) or free.'),
      price_date: text('Date of the price list.', { nullWhen: 'no price was needed or known' }),
      program: text(
        'Program that asked: its version and commit, and whether its files differed from that, as in ' +
          '0.1.0+COMMIT.dirty.',
        { nullWhen: 'an older program asked', volatile: true },
      ),
      started_at: { type: 'timestamp', meaning: 'When the call was sent, UTC.', volatile: true },
      latency_ms: float('Time from sending to reply.', {
        unit: 'ms',
        nullWhen: 'there was no reply, or it was copied from another run',
        volatile: true,
      }),
      simulated: bool('True when a simulated model was asked.'),
    },
  },
  samples: {
    name: 'samples',
    meaning: 'Every answer that counts, with its raw text and the code extracted from it.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'step', 'ask', 'sample'],
    columns: {
      ...cellKey,
      ...sampleKey,
      ask: int('How often this question was asked before, from 0.'),
      answering_model: text('Id of the model that replied.'),
      effort: text('Reasoning effort that was requested for this answer.', {
        nullWhen: 'none was, or an early version wrote the row',
      }),
      call_key: text(
        'Key of the stored answer; equal to its call’s key if the call asked for this answer first or alone.',
      ),
      prompt_sha256: text('SHA-256 of the prompt that it answers.'),
      parent_step: text('Step whose sample the prompt was made from.', {
        nullWhen: 'the prompt was made from the task',
      }),
      parent_loop: int('Loop of that sample.', { nullWhen: 'the prompt was made from the task' }),
      backend: text('Who served the answer behind a gateway (OpenRouter’s `provider`).', {
        nullWhen: 'the endpoint does not say, or an early version asked',
        volatile: true,
      }),
      request_id: text("The endpoint's id of the request: its header x-request-id, else the id of the completion.", {
        nullWhen: 'it sent none, or an older program asked',
        volatile: true,
      }),
      response_headers: text(
        'Headers of the answer that say which machine or version answered, as JSON: docs/results/provenance.md.',
        { nullWhen: 'it had none, or an older program asked', volatile: true },
      ),
      reply: text('Raw reply; half a surrogate pair, which UTF-8 cannot hold, is U+FFFD.', { holds: ['replies'] }),
      finish_reason: text('How the answer ended: stop, length, content_filter, refusal, ...', {
        nullWhen: 'an early version wrote the row',
        volatile: earlierPages,
      }),
      reasoning: text('Thoughts that came apart from the reply, as text.', {
        nullWhen: 'there are none, they are hidden, or an early version asked',
        volatile: earlierPages,
        holds: ['replies'],
      }),
      reply_status: text(
        'ok, refusal, empty, truncated, content_filter; not_asked: a rescored run has no answer and does not ask; ' +
          'prompt_too_long, reply_too_long: excluded from rates and counted.',
      ),
      extraction: text('How the code was found in the reply.', { nullWhen: 'the step asks for no code' }),
      extraction_rule: text('Extraction rule that found the code, with its version; see docs/extraction.md.', {
        nullWhen: 'the step asks for no code, or an early version wrote the row',
      }),
      blocks: int('Fenced blocks in the reply, without those in thoughts.', {
        nullWhen: 'the step asks for no code, the recording has no raw reply, or an early version wrote the row',
      }),
      defining_blocks: int('Of these, blocks that define the entry point.', { nullWhen: 'blocks is null' }),
      solution: text('The code extracted from the reply.', {
        nullWhen: 'there is none, or the step asks for no code',
        holds: ['replies'],
      }),
      program_sha256: text('SHA-256 of the solution.', { nullWhen: 'solution is null' }),
      logprob_sum: float('Sum of the token log-probabilities.', { unit: 'nats', nullWhen: 'not given' }),
      logprob_tokens: int('Tokens in that sum.', { unit: 'tokens', nullWhen: 'not given' }),
      logprob_fault: text('Why the log-probabilities were rejected and not summed.', {
        nullWhen: 'they were accepted, or there are none',
      }),
      ...answerColumns,
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
      ask: int('How often this question was asked before, from 0.'),
      logprobs: {
        type: 'floatList',
        meaning:
          'Log-probability of each completion token, in single precision; ' +
          '`samples.logprob_sum` sums the original values.',
        unit: 'nats',
      },
      simulated: bool('True when a simulated model answered.'),
    },
  },
  verdicts: {
    name: 'verdicts',
    meaning: 'Outcome of each sample on each suite.',
    schemaVersion: 1,
    key: [...cellKeyNames, 'loop', 'step', 'sample', 'suite'],
    columns: {
      ...cellKey,
      ...sampleKey,
      suite: text('Suite name.'),
      execution_id: text('Row of `executions`.', { nullWhen: 'there was no code to run' }),
      outcome: text('Outcome, from the closed list in docs/tables.md.'),
      first_failing_case: int('Index of the first case that failed.', { nullWhen: 'none failed, or nothing was run' }),
      simulated: bool('True when a simulated model answered.'),
    },
  },
  executions: {
    name: 'executions',
    meaning: 'Every distinct combination of program, suite and limits that was run; one row per page that used it.',
    schemaVersion: 1,
    key: ['execution_id', 'page'],
    columns: {
      execution_id: text('SHA-256 of program, suite, limits, tier and image.'),
      page: text('Page of the plan whose part holds this row.'),
      program_sha256: text('SHA-256 of the program.'),
      suite: text('Suite name.'),
      outcome: text('Outcome, from the closed list.'),
      first_failing_case: int('Index of the first case that failed.', { nullWhen: 'none failed' }),
      failing_input: text('Arguments of that case as JSON, or its test code; cut after 2,000 characters.', {
        nullWhen: 'first_failing_case is null, or an older program wrote the row',
        volatile: earlierPages,
        holds: ['data-sets'],
      }),
      detail: text('One line for a person.', {
        nullWhen: 'there is nothing to say',
        volatile: true,
        holds: ['replies', 'data-sets'],
      }),
      cpu_ms: float('CPU time.', { unit: 'ms', nullWhen: 'the tier cannot measure it', volatile: true }),
      wall_ms: float('Wall time.', { unit: 'ms', volatile: true }),
      memory_bytes: float('Memory added by the program.', {
        unit: 'bytes',
        nullWhen: 'the tier cannot measure it',
        volatile: true,
      }),
      tier: text('Sandbox tier: container, bubblewrap, embedded.'),
      lane: text(
        'isolated: the program ran without access to expected values; batch: the same, in a process shared with ' +
          'other screened programs; judge: an output of an unencoded type was compared in another process; assert: ' +
          'test code ran next to the program, so the verdict can be forged.',
        { volatile: true },
      ),
      engine: text('Sandbox engine, with version.'),
      image_digest: text('Digest of the image or program that the sandbox runs.'),
      limits: text('Limits, as JSON, with the rule they follow.'),
      reused: bool('True if an earlier run on the same machine executed it; the times are from that run.', {
        volatile: true,
      }),
    },
  },
} as const satisfies Record<string, Table>;
