/** What asking in batches would save: for models that are not, and whose price is known. */
import { usdText } from '../../analysis/report/format.ts';
import { providerFacts } from '../../domain/spec/provider-facts.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import { batchShareOf } from '../calls/prices.ts';
import type { Lane } from './lane-estimate.ts';

/** Less is not worth a day's wait. */
const leastUsd = 0.01;
/** Those that would save most. */
const mostNamed = 8;

/** One line; none if nothing would be saved. Calls that write variants are not asked in batches. */
export function batchSavings(spec: Spec, lanes: readonly Lane[]): string[] {
  const saved = spec.models.flatMap((model) => {
    const usd = expectedUsd(model, lanes) * (1 - batchShareOf(model));
    return isAskedByCalls(spec, model) && usd >= leastUsd ? [{ id: model.id, usd }] : [];
  });
  if (saved.length === 0) return [];
  const total = usdText(saved.reduce((sum, { usd }) => sum + usd, 0));
  const most = saved.toSorted((a, b) => b.usd - a.usd).slice(0, mostNamed);
  const more = saved.length - most.length;
  const named = most.map(({ id, usd }) => `${id} ${usdText(usd)}`);
  const each = saved.length === 1 ? saved[0]?.id : [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return [
    `with mode: batch about ${total} less is expected to be spent (${each}), where the endpoint has the Batch API; ` +
      'answers then take up to a day',
  ];
}

const isAskedByCalls = (spec: Spec, model: SpecModel): boolean =>
  model.mode !== 'batch' && model.provider in spec.providers && providerFacts(spec, model).paid;

const expectedUsd = ({ id }: SpecModel, lanes: readonly Lane[]): number =>
  lanes
    .filter(({ estimate, isVariants }) => estimate.answeringModel === id && !isVariants)
    .reduce((sum, { estimate }) => sum + (estimate.usd?.expected ?? 0), 0);
