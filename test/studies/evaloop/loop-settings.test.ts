import { expect, test } from 'vitest';
import { loopSettings } from '../../../studies/evaloop/loop-settings.ts';
import { type SummaryPromptName, summaryPrompts } from '../../../studies/evaloop/summary-prompts.ts';

test("the paper's settings are the baseline, five summary prompts and four temperatures, one change at a time", () => {
  const settings = loopSettings(Object.keys(summaryPrompts) as SummaryPromptName[], [0.2, 0.4, 0.6, 0.8]);
  expect(settings.map(({ name, summaryPrompt, temperature }) => [name, summaryPrompt, temperature])).toEqual([
    ['default', 'initial', null],
    ['summary_detailed', 'detailed', null],
    ['summary_case', 'case', null],
    ['summary_structure', 'structure', null],
    ['summary_simple', 'simple', null],
    ['summary_elaboration', 'elaboration', null],
    ['temperature_0.2', 'initial', 0.2],
    ['temperature_0.4', 'initial', 0.4],
    ['temperature_0.6', 'initial', 0.6],
    ['temperature_0.8', 'initial', 0.8],
  ]);
});

test('a study that asks for no other setting has the baseline alone', () => {
  expect(loopSettings([], []).map(({ name }) => name)).toEqual(['default']);
});
