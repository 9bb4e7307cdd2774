/** PromptSE's calls: m samples of each prompt; before them, if a model rewrites prompts, one per variant and draw. */
import { type CallForecast, exactly, noneToAtMost } from '../forecast.ts';
import { promptParts } from '../variants/prompt-parts.ts';
import { codeMessages } from './prompts.ts';
import { rewriteMessages } from './rewrite-prompt.ts';
import type { PromptseStudy } from './settings.ts';
import { styleOf, variantNames } from './variant-plan.ts';

/** @param rewriter id of the model that rewrites the prompts; null if no model does */
export function promptseCalls({ settings }: PromptseStudy, rewriter: string | null): CallForecast[] {
  const { samples, maxTokens, logprobs } = settings;
  const sampled: CallForecast = {
    step: 'generate',
    asked: 'study',
    calls: exactly(samples),
    draws: samples,
    inSeries: exactly(1),
    // A variant is about as long as its original.
    messages: ({ prompt, language }) => codeMessages(prompt, language),
    answer: 'program',
    maxTokens,
    logprobs,
  };
  return rewriter === null ? [sampled] : [rewriting(settings, rewriter), sampled];
}

/** No calls if an earlier run's variants are reused; further draws while a variant breaks the rules. */
function rewriting(settings: PromptseStudy['settings'], model: string): CallForecast {
  const [variant = ''] = variantNames(settings.variants);
  const draws = noneToAtMost(1, settings.maxDraws);
  return {
    step: 'rewrite',
    asked: { role: 'rewriter', model },
    phase: 'variants',
    calls: draws,
    inSeries: draws,
    messages: ({ taskId, prompt, entryPoint }) =>
      rewriteMessages(promptParts(prompt, entryPoint), styleOf(taskId, settings, variant)),
    answer: 'wording',
    maxTokens: 2048,
    logprobs: false,
  };
}
