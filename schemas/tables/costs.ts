/** What models cost, in total and per solved task. */
import { bool, float, int, type Table, text } from './column.ts';
import { studyModel, studyModelNames } from './keys.ts';

const paid = { volatile: true } as const;
const whoPaid = { volatile: 'which run or model paid for an answer may change' } as const;

/** Over tasks that the model paid for itself. Volatile: an interrupted call is paid again. */
export const solvedCost = {
  usd_per_solved_task: float(
    'USD of all calls / solved tasks; a task counts by the share of its judged first programs that pass. Calls whose ' +
      'cost is estimated count in full, and so do calls of answers that another study of the run asked first. Tasks ' +
      'with answers that another run or another model of the run paid for are left out.',
    {
      nullWhen: 'no task is solved, or the cost is unknown',
      ...paid,
    },
  ),
  usd_per_solved_task_lo: float(
    'Lower end of its interval, with all programs that could not be judged passed, and estimated costs as 0; also ' +
      'present if no task is solved.',
    {
      nullWhen: 'the cost is unknown, or there is only one task',
      ...paid,
    },
  ),
  usd_per_solved_task_hi: float('Upper end of its interval, with these programs failed, and estimated costs in full.', {
    nullWhen: 'there is no lower end, or the interval is unbounded',
    ...paid,
  }),
};

export const costTables = {
  model_costs: {
    name: 'model_costs',
    meaning:
      'What each study paid for each model, including the calls of judges and other roles made for it, and the cost ' +
      'per solved task. An answer that several studies or models use is paid once, by the page that asked first. ' +
      'The cost per solved task has the calls of all answers that the study uses, also of those that another study ' +
      'asked first. Answers copied from other runs (`reuse`) were paid there: they are in no count of calls or ' +
      'tokens. Tasks that have any, or an answer that another model of the run paid for, are left out of the cost ' +
      'per solved task.',
    schemaVersion: 1,
    key: studyModelNames,
    columns: {
      ...studyModel,
      calls: int('Calls sent by this run: answered, failed and lost ones.', paid),
      answered: int('Calls that were answered.', paid),
      answers: int('Answers that count here, including those that another study, model or run paid for.'),
      input_tokens: int('Prompt tokens.', { unit: 'tokens', ...paid }),
      cached_tokens: int('Of these, served from a cache.', { unit: 'tokens', ...paid }),
      cache_write_tokens: int('Of these, written to a cache.', { unit: 'tokens', ...paid }),
      input_audio_tokens: int('Of these, audio tokens.', { unit: 'tokens', ...paid }),
      output_tokens: int('Completion tokens.', { unit: 'tokens', ...paid }),
      reasoning_tokens: int('Of these, hidden reasoning.', { unit: 'tokens', ...paid }),
      output_audio_tokens: int('Of these, audio tokens.', { unit: 'tokens', ...paid }),
      usd: float('Cost of all calls of this study with a known price. It is a sum and has no interval.', {
        unit: 'USD',
        ...paid,
      }),
      estimated_usd: float(
        'Part of usd that is estimated: calls that may have been billed, but whose cost was not reported.',
        {
          unit: 'USD',
          ...paid,
        },
      ),
      unpriced_calls: int('Calls whose price is unknown.', paid),
      disbelieved_calls: int(
        'Calls whose reported usage is impossible: totals are charged at the most that is possible.',
        paid,
      ),
      solved_tasks: float(
        'Tasks solved; a task counts by the share of its first programs (over all variants and repetitions) that ' +
          'pass all suites. Tasks with answers that another run or another model of the run paid for are left out.',
        whoPaid,
      ),
      n: int(
        'Tasks with a program that counts, without those with answers that another run or model paid for.',
        whoPaid,
      ),
      ...solvedCost,
      level: float('Same as `confidence`, by its name in version 0.1.'),
      confidence: float('Confidence level of the interval.'),
      method: text('How the interval was made.'),
      reason: text('Why a value is null.', { nullWhen: 'no value is null', ...paid }),
      simulated: bool('True when the model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
