/** What the study asks: one answer per prompt, and, where models have a part in the prompts, their answers before that. */
import type { Task } from '../../schemas/task.ts';
import { type CallForecast, exactly, noneToAtMost } from '../forecast.ts';
import { promptFrame } from './frame.ts';
import { labelRuns } from './labels.ts';
import { codeMessages, labelMessages, summarizeMessages, writeMessages } from './prompts.ts';
import { writtenByRules } from './rule-writer.ts';
import { labellersOf, positionsOf, rolesOf, type SpecificityStudy, taxonomyOf } from './settings.ts';

/** Counts are per cell; a set's pages have a cell for every prompt of a task. */
export function specificityCalls({ settings }: SpecificityStudy): CallForecast[] {
  const { writer, summarizer, checker } = rolesOf(settings);
  const prompts = positionsOf(settings).length;
  const each = (count: number): number => count / prompts;
  const drafts = noneToAtMost(each(1), each(settings.maxDraws));
  const making = { phase: 'variants' as const, logprobs: false };
  const labelled = labellersOf(settings).map((model): CallForecast => {
    const summaries = settings.wordLimits.length * settings.labelPasses;
    return {
      ...{ ...making, step: 'label', asked: { role: 'labeller', model }, answer: 'score', maxTokens: 512 },
      calls: { minimum: each(summaries), expected: each(summaries), maximum: each(summaries * settings.labelAsks) },
      inSeries: noneToAtMost(labelRuns(settings).length, labelRuns(settings).length * settings.labelAsks),
      messages: (task) => labelMessages(detailed(task), taxonomyOf(settings)),
    };
  });
  return [
    ...(writer === null
      ? []
      : [
          {
            ...{ ...making, step: 'write' as const, asked: { role: 'writer', model: writer }, answer: 'wording' as const, maxTokens: 2048 },
            ...{ calls: drafts, inSeries: noneToAtMost(1, settings.maxDraws) },
            messages: ({ prompt, reference }: Task) => writeMessages(prompt, reference),
          },
        ]),
    ...(checker === null
      ? []
      : [
          {
            ...{ ...making, step: 'generate' as const, asked: { role: 'checker', model: checker }, answer: 'program' as const },
            ...{ maxTokens: settings.maxTokens, calls: drafts, inSeries: noneToAtMost(1, settings.maxDraws) },
            messages: (task: Task) => codeMessages(detailed(task), task),
          },
        ]),
    ...(summarizer === null
      ? []
      : [
          {
            ...{ ...making, step: 'summarize' as const, asked: { role: 'summarizer', model: summarizer }, answer: 'wording' as const },
            maxTokens: 1024,
            calls: noneToAtMost(each(settings.wordLimits.length), each(settings.wordLimits.length * settings.summaryAsks)),
            inSeries: noneToAtMost(1, settings.summaryAsks),
            messages: (task: Task) => summarizeMessages(detailed(task), 50),
          },
        ]),
    ...labelled,
    {
      ...{ step: 'generate', asked: 'study', calls: exactly(1), inSeries: exactly(1), answer: 'program', logprobs: false },
      maxTokens: settings.maxTokens,
      // The poset's prompts are on average about as long as the original with half of what is added to it.
      messages: (task) => codeMessages(task.prompt, task),
    },
  ];
}

/** A maximal description before there is one: about as long as what the rules write. */
const detailed = (task: Task): string => writtenByRules(promptFrame(task)?.description ?? '', task);
