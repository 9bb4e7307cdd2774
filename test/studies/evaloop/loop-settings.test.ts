import { expect, test } from 'vitest';
import { summaryPromptNames } from '../../../schemas/spec/evaloop.ts';
import { loopSettings } from '../../../studies/evaloop/loop-settings.ts';

const none = { summaryPrompts: [], temperatures: [], sampledRuns: 0, sampledTemperature: 0.7 };

test("the paper's settings are the baseline, five summary prompts and four temperatures, one change at a time", () => {
  const settings = loopSettings({
    ...none,
    summaryPrompts: [...summaryPromptNames],
    temperatures: [0.2, 0.4, 0.6, 0.8],
    sampledRuns: 5,
  });
  expect(
    settings.map(({ name, summaryPrompt, temperature, repetitions }) => [
      name,
      summaryPrompt,
      temperature,
      repetitions,
    ]),
  ).toEqual([
    ['default', 'initial', null, null],
    ['summary_detailed', 'detailed', null, null],
    ['summary_case', 'case', null, null],
    ['summary_structure', 'structure', null, null],
    ['summary_simple', 'simple', null, null],
    ['summary_elaboration', 'elaboration', null, null],
    ['temperature_0.2', 'initial', 0.2, null],
    ['temperature_0.4', 'initial', 0.4, null],
    ['temperature_0.6', 'initial', 0.6, null],
    ['temperature_0.8', 'initial', 0.8, null],
    ['sampled', 'initial', 0.7, 5],
  ]);
});

test('a study that asks for no other setting has only the baseline', () => {
  expect(loopSettings(none).map(({ name }) => name)).toEqual(['default']);
});
