/**
 * Calls per cell of EVALOOP: one if the first code fails, M programs and M - 1 summaries if all loops pass, plus a
 * draft before each program if the pair has one.
 */
import { type CallForecast, exactly, noneToAtMost } from '../forecast.ts';
import { type JudgePanel, judgePanel } from './judges.ts';
import { dualPairs } from './pairs/index.ts';
import { codePrompt, conversation, judgeDecoding, judgePrompt, nextDescription } from './prompts.ts';
import type { EvaloopStudy } from './settings.ts';

/**
 * Means of the three models whose counts by loop are published (data/published/evaloop-golden.json): share of tasks
 * that pass the first loop, and each later one.
 */
export const expectedPasses = { first: 0.75, later: 0.97 } as const;

export function evaloopCalls({ settings }: EvaloopStudy): CallForecast[] {
  const { maxLoops, judgeAsks, maxTokens, pair } = settings;
  const asked = { asked: 'study', maxTokens, logprobs: false } as const;
  const { draft, describe, code } = dualPairs[pair];
  const once = { ...asked, calls: exactly(1), inSeries: exactly(1) };
  const first: CallForecast = {
    ...once,
    // If the draft is empty, no code is requested.
    ...(draft ? { calls: noneToAtMost(1, 1) } : {}),
    step: 'generate',
    messages: ({ prompt }, said) =>
      conversation(draft ? code(nextDescription(said('summary'), prompt)) : codePrompt(prompt)),
    answer: 'program',
  };
  const drafted = (calls: Pick<CallForecast, 'calls' | 'inSeries'>): CallForecast[] =>
    draft
      ? [
          {
            ...asked,
            ...calls,
            step: 'draft',
            messages: ({ prompt }) => conversation(draft(prompt)),
            answer: 'summary',
          },
        ]
      : [];
  const later = maxLoops - 1;
  if (later === 0) return [...drafted(once), first];
  const perLoop = { calls: noneToAtMost(expectedPassed(later), later), inSeries: noneToAtMost(later, later) };
  const summarize: CallForecast = {
    ...asked,
    ...perLoop,
    step: 'summarize',
    messages: (_task, said) => conversation(describe(said(draft ? 'summary' : 'program'))),
    answer: 'summary',
  };
  const again: CallForecast = {
    ...asked,
    ...perLoop,
    step: 'generate',
    messages: ({ prompt }, said) => conversation(code(nextDescription(said('summary'), prompt))),
    answer: 'program',
  };
  return [
    ...drafted(once),
    first,
    summarize,
    ...drafted(perLoop),
    again,
    ...judged(judgePanel(settings), judgeAsks, later),
  ];
}

/** Calls of each judge where a task broke, repeated if an answer holds no score. */
const judged = ({ models, repeats }: JudgePanel, asks: number, laterLoops: number): CallForecast[] =>
  models.map((model) => ({
    step: 'judge',
    asked: { role: 'judge', model },
    calls: noneToAtMost(repeats * expectedBroken(laterLoops), repeats * asks),
    inSeries: noneToAtMost(1, asks),
    messages: ({ prompt }, said) =>
      conversation(judgePrompt(prompt, said('program'), nextDescription(said('summary'), prompt), said('program'))),
    answer: 'score',
    maxTokens: judgeDecoding.maxTokens,
    logprobs: false,
  }));

/** Expected number of loops passed among the first `loops`. */
function expectedPassed(loops: number): number {
  const { first, later } = expectedPasses;
  return (first * (1 - later ** loops)) / (1 - later);
}

/** Expected share of tasks whose code breaks after at least one passed loop: these are judged. */
const expectedBroken = (laterLoops: number): number => expectedPasses.first * (1 - expectedPasses.later ** laterLoops);
