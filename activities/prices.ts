/** What calls cost: the spec's own price, or the dated price list; unknown is null, never zero. */
import { calcPrice } from '@pydantic/genai-prices';
import type { SpecModel } from '../schemas/spec.ts';

export interface Price {
  readonly inputUsdPerMillion: number;
  readonly outputUsdPerMillion: number;
  /** Where the price is from, for the `price_date` column. */
  readonly source: string;
}

/** Null for a model whose price is neither in the spec nor in the list. */
export function priceOf(model: SpecModel): Price | null {
  if (model.price) return { ...model.price, source: 'spec' };
  return listedPrice(model.model ?? model.id);
}

export const usdOf = (price: Price, inputTokens: number, outputTokens: number): number =>
  (inputTokens * price.inputUsdPerMillion + outputTokens * price.outputUsdPerMillion) / 1_000_000;

function listedPrice(name: string): Price | null {
  const million = 1_000_000;
  const input = calcPrice({ input_tokens: million }, name)?.total_price;
  const output = calcPrice({ output_tokens: million }, name)?.total_price;
  if (input === undefined || output === undefined) return null;
  return { inputUsdPerMillion: input, outputUsdPerMillion: output, source: '@pydantic/genai-prices 0.1.8' };
}
