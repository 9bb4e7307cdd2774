/** Models of a spec that send equal requests: each request is asked once, so that they have the same answers. */
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import { canonicalJson } from '../ids.ts';

/** Equal for models that ask an endpoint the same. */
export const requestOf = ({ id, model, parameters, profile, file, api }: SpecModel, endpoint: string): string =>
  canonicalJson([endpoint, model ?? id, parameters ?? {}, profile ?? null, file ?? null, api ?? null]);

/** Groups of two or more ids. */
export function askedAlike({ models, providers }: Pick<Spec, 'models' | 'providers'>): string[][] {
  const endpointOf = (name: string): string => {
    const account = providers[name];
    return account?.kind === 'openai' ? canonicalJson([account.baseUrl, account.api ?? null]) : name;
  };
  const groups = Map.groupBy(models, (model) => requestOf(model, endpointOf(model.provider)));
  return [...groups.values()].filter(({ length }) => length > 1).map((own) => own.map(({ id }) => id));
}

/** Whether two models of one run are asked alike. */
export const areAskedAlike = (spec: Pick<Spec, 'models' | 'providers'>, one: string, other: string): boolean =>
  askedAlike(spec).some((ids) => ids.includes(one) && ids.includes(other));

/** One sentence for each group. */
export const askedAlikeText = (ids: readonly string[]): string =>
  `${ids.join(' and ')} send equal requests, and each request is asked once: they have the same answers, and no ` +
  'comparison can tell them apart. Ask them in runs of their own, or give them other parameters.';
