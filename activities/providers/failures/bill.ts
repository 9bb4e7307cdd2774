/** What a failure is billed. */
import type { TokenUsage } from '../../calls/token-usage.ts';
import type { OpenAiApi } from '../openai-apis.ts';
import { hasBegun } from './begun.ts';

export interface Bill {
  /** Null if the call is charged at the most that it can cost. */
  readonly usage: TokenUsage | null;
}

/** By the usage that it reports; something unknown if its answer had begun; undefined for a refusal. */
export function billOf(api: Pick<OpenAiApi, 'usage'>, failed: unknown): Bill | undefined {
  const reported = api.usage(failed);
  const usage = reported !== null && (reported.inputTokens ?? 0) + (reported.outputTokens ?? 0) > 0 ? reported : null;
  return usage !== null || hasBegun(failed) ? { usage } : undefined;
}
