/** What models cost, and what came of it. */
import { bool, float, int, type Table, text } from './column.ts';
import { studyModel, studyModelNames } from './keys.ts';

const paid = { volatile: true } as const;

/** Of tasks with a program that counts. Volatile: a call that was cut off is paid again. */
export const solvedCost = {
  usd_per_solved_task: float('USD of all calls over the tasks solved, each by the share of its first programs that pass.', {
    nullWhen: 'no task is solved, or the cost is not known',
    ...paid,
  }),
  usd_per_solved_task_lo: float('Lower end of its interval, also where no task is solved.', {
    nullWhen: 'the cost is not known, or there is one task alone',
    ...paid,
  }),
  usd_per_solved_task_hi: float('Upper end of its interval.', { nullWhen: 'there is no lower end, or no cost is too high', ...paid }),
};

export const costTables = {
  model_costs: {
    name: 'model_costs',
    meaning:
      'What each study paid for each model, with the calls of judges and other roles that were made for it, and what a solved task came to. An answer that several studies or models use is paid once, by the one whose page asked for it first.',
    schemaVersion: 1,
    key: studyModelNames,
    columns: {
      ...studyModel,
      calls: int('Calls sent: answered, failed and lost ones.', paid),
      answered: int('Calls that were answered.', paid),
      answers: int('Answers that count here, also those that another study or model paid for.'),
      input_tokens: int('Prompt tokens.', { unit: 'tokens', ...paid }),
      cached_tokens: int('Of these, served from a cache.', { unit: 'tokens', ...paid }),
      cache_write_tokens: int('Of these, written to a cache.', { unit: 'tokens', ...paid }),
      input_audio_tokens: int('Of these, of sound.', { unit: 'tokens', ...paid }),
      output_tokens: int('Completion tokens.', { unit: 'tokens', ...paid }),
      reasoning_tokens: int('Of these, hidden reasoning.', { unit: 'tokens', ...paid }),
      output_audio_tokens: int('Of these, of sound.', { unit: 'tokens', ...paid }),
      usd: float('Cost of all calls whose price is known: a sum, which has no interval.', { unit: 'USD', ...paid }),
      estimated_usd: float('Of it, for calls that may have been billed without a word of what they cost.', { unit: 'USD', ...paid }),
      unpriced_calls: int('Calls whose price is unknown.', paid),
      disbelieved_calls: int('Calls whose reported usage cannot be, charged at the most that can.', paid),
      solved_tasks: float('Tasks solved, each by the share of its first programs (of all variants and repetitions) that pass all suites.'),
      n: int('Tasks with a program that counts.'),
      ...solvedCost,
      level: float('The same as confidence, under its name of version 0.1.'),
      confidence: float('Confidence level of the interval.'),
      method: text('How the interval was made.'),
      reason: text('Why a value is null.', { nullWhen: 'none is', ...paid }),
      simulated: bool('True when the model is simulated.'),
    },
  },
} as const satisfies Record<string, Table>;
