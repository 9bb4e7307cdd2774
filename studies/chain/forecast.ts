/** Calls per cell of a chain: one translation if the first fails, one per step if all pass. */
import { type CallForecast, exactly, noneToAtMost } from '../forecast.ts';
import { signatureOf, translationMessages } from './prompts.ts';
import type { ChainStudy } from './steps.ts';

/** Share of translations that pass: GPT-4.1's ASL of 2.89 over five steps, counted as steps passed (section 5). */
const expectedPass = 0.58;

export function chainCalls({ settings: { through, scoring, maxTokens } }: ChainStudy): CallForecast[] {
  const later = through.length - 1;
  const expected =
    scoring === 'counts'
      ? later
      : Array.from({ length: later }, (_, step) => expectedPass ** (step + 1)).reduce((a, b) => a + b, 0);
  const translation: Omit<CallForecast, 'calls' | 'inSeries'> = {
    step: 'translate',
    asked: 'study',
    messages: (task, said) =>
      translationMessages({
        from: task.language,
        to: task.language,
        code: said('program'),
        signature: signatureOf(task),
      }),
    answer: 'program',
    maxTokens,
    logprobs: false,
  };
  const first = { ...translation, calls: exactly(1), inSeries: exactly(1) };
  return later === 0
    ? [first]
    : [first, { ...translation, calls: noneToAtMost(expected, later), inSeries: noneToAtMost(later, later) }];
}
