/** Columns of `samples` from which table `answers` has its outcomes, costs and times without a look at other tables. */
import { type Column, float, int, text } from './column.ts';

const early = 'an early version wrote the row';
const earlierPages = 'a run that an older program began lacks it in its first pages';
const shares = 'answer_calls is null';
const onSharing = 'if several cells share an answer, it is recorded for the one that asked first';

export const answerColumns = {
  answer_suites: int('Suites that judged it; 0 if the step asks for no code.', {
    nullWhen: early,
    volatile: earlierPages,
  }),
  answer_outcome: text('Outcome over all suites, as in `answers`.', {
    nullWhen: `the step asks for no code, or ${early}`,
    volatile: earlierPages,
  }),
  answer_suite: text('The suite that it is from.', { nullWhen: 'answer_outcome is null', volatile: earlierPages }),
  answer_case: int('Index of its first case that failed.', {
    nullWhen: 'answer_outcome is null, nothing failed, or nothing was run',
    volatile: earlierPages,
  }),
  answer_calls: int('Calls that its answer took, failed and lost ones included.', {
    nullWhen: `another sample may share them, or ${early}`,
    volatile: onSharing,
  }),
  answer_usd: float('Cost of its calls, as in `answers`.', {
    unit: 'USD',
    nullWhen: `the price is unknown, or ${shares}`,
    volatile: true,
  }),
  answer_ms: float('Time from sending the call to its reply, as in `answers`.', {
    unit: 'ms',
    nullWhen: `the reply was copied from another run, or ${shares}`,
    volatile: true,
  }),
} as const satisfies Record<string, Column>;
