/**
 * The study's calls: one per prompt, and before them those of the models that generate the prompts.
 */
import type { Task } from '../../schemas/task.ts';
import { type CallForecast, exactly, noneToAtMost } from '../forecast.ts';
import { promptFrame } from './frame.ts';
import { labelRuns } from './labels.ts';
import { codeMessages, labelMessages, summarizeMessages, writeMessages } from './prompts.ts';
import { writtenByRules } from './rule-writer.ts';
import { labellersOf, positionsOf, rolesOf, type SpecificityStudy, taxonomyOf } from './settings.ts';

/** Counts are per cell; the pages of prompt sets have one cell for every prompt of a task. */
export const specificityCalls = (study: SpecificityStudy): CallForecast[] => [
  ...making(study),
  {
    step: 'generate',
    asked: 'study',
    calls: exactly(1),
    inSeries: exactly(1),
    answer: 'program',
    logprobs: false,
    maxTokens: study.settings.maxTokens,
    // The poset's prompts are on average about as long as the original with half of what is added to it.
    messages: (task) => codeMessages(task.prompt, task),
  },
];

/** The calls that make the prompts: none where rules do it. */
function making({ settings }: SpecificityStudy): CallForecast[] {
  const { writer, summarizer, checker } = rolesOf(settings);
  const prompts = positionsOf(settings).length;
  return [
    ...(writer === null ? [] : [writing(writer, settings, prompts)]),
    ...(checker === null ? [] : [checking(checker, settings, prompts)]),
    ...(summarizer === null ? [] : [summarizing(summarizer, settings, prompts)]),
    ...labellersOf(settings).map((model) => labelling(model, settings, prompts)),
  ];
}

type Settings = SpecificityStudy['settings'];
const inMaking = { phase: 'variants', logprobs: false } as const;

/** Once for a task and again for as long as what was written does not pass, over the cells of its prompts. */
const drafts = ({ maxDraws }: Settings, prompts: number): Pick<CallForecast, 'calls' | 'inSeries'> => ({
  calls: noneToAtMost(1 / prompts, maxDraws / prompts),
  inSeries: noneToAtMost(1, maxDraws),
});

const writing = (model: string, settings: Settings, prompts: number): CallForecast => ({
  ...inMaking,
  ...drafts(settings, prompts),
  step: 'write',
  asked: { role: 'writer', model },
  answer: 'wording',
  maxTokens: 2048,
  messages: ({ prompt, reference }) => writeMessages(prompt, reference),
});

const checking = (model: string, settings: Settings, prompts: number): CallForecast => ({
  ...inMaking,
  ...drafts(settings, prompts),
  step: 'generate',
  asked: { role: 'checker', model },
  answer: 'program',
  maxTokens: settings.maxTokens,
  messages: (task) => codeMessages(detailed(task), task),
});

const summarizing = (model: string, { wordLimits, summaryAsks }: Settings, prompts: number): CallForecast => ({
  ...inMaking,
  step: 'summarize',
  asked: { role: 'summarizer', model },
  answer: 'wording',
  maxTokens: 1024,
  calls: noneToAtMost(wordLimits.length / prompts, (wordLimits.length * summaryAsks) / prompts),
  inSeries: noneToAtMost(1, summaryAsks),
  messages: (task) => summarizeMessages(detailed(task), 50),
});

function labelling(model: string, settings: Settings, prompts: number): CallForecast {
  const summaries = (settings.wordLimits.length * settings.labelPasses) / prompts;
  const runs = labelRuns(settings).length;
  return {
    ...inMaking,
    step: 'label',
    asked: { role: 'labeller', model },
    answer: 'score',
    maxTokens: 512,
    calls: { minimum: summaries, expected: summaries, maximum: summaries * settings.labelAsks },
    inSeries: noneToAtMost(runs, runs * settings.labelAsks),
    messages: (task) => labelMessages(detailed(task), taxonomyOf(settings)),
  };
}

/** A placeholder for a maximal description, about as long as one written by the rules. */
const detailed = (task: Task): string => writtenByRules(promptFrame(task)?.description ?? '', task);
