/** What a call may cost at most to a model that thinks: the limit of its study is not sent to it. */
import { usdText } from '../../analysis/report/format.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { Lane } from './lane-estimate.ts';

export interface UnlimitedCalls {
  /** Models that are known to think and have calls left. */
  readonly known: readonly { readonly model: string; readonly callUsd: number }[];
  /** Most that a call costs if another model turns out to think; null if that would change no maximum. */
  readonly otherwiseUsd: number | null;
}

export function unlimitedCalls({ models }: Spec, lanes: readonly Lane[]): UnlimitedCalls {
  const mostOf = (some: readonly Lane[]): number | null => {
    const all = some.flatMap(({ unlimitedCallUsd }) => unlimitedCallUsd ?? []);
    return all.length === 0 ? null : Math.max(...all);
  };
  const [thinking, others] = [true, false].map((wanted) =>
    lanes.filter(({ thinking: { isKnown } }) => isKnown === wanted),
  );
  return {
    known: models.flatMap(({ id }) => {
      const callUsd = mostOf((thinking ?? []).filter(({ estimate }) => estimate.answeringModel === id));
      return callUsd === null ? [] : [{ model: id, callUsd }];
    }),
    otherwiseUsd: mostOf(others ?? []),
  };
}

/** A line for each model whose calls that are left may cost more than is reserved for them. */
export function exceedingTexts(lanes: readonly Lane[]): string[] {
  const models = lanes.flatMap(({ thinking, estimate: { answeringModel, newCalls } }) =>
    thinking.exceeds && newCalls.maximum > 0 ? [answeringModel] : [],
  );
  return [...new Set(models)].map(
    (model) =>
      `${model} counts more tokens than its calls allow, which no budget can hold back: its maximum counts its ` +
      'whole window for each answer',
  );
}

export const thinkingText = ({ model, callUsd }: UnlimitedCalls['known'][number]): string =>
  `${model} thinks, so maxTokens is not sent to it: a call is sent only while ${usdText(callUsd)} fit into a budget`;
