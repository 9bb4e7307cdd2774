/** Models of a spec that may send equal requests: each request is asked once, so that these have the same answers. */
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import { canonicalJson } from '../ids.ts';

/**
 * Whether two models may ask alike: one name at one endpoint, and no parameter with two values. One that a model does
 * not set may be that of the study.
 */
function mayAskAlike({ providers }: Pick<Spec, 'providers'>, one: SpecModel, other: SpecModel): boolean {
  if (one.id === other.id || placeOf(providers, one) !== placeOf(providers, other)) return false;
  const [first, second] = [one.parameters ?? {}, other.parameters ?? {}].map((own) => new Map(Object.entries(own)));
  return [...(first ?? [])].every(
    ([name, value]) => !second?.has(name) || canonicalJson(second.get(name)) === canonicalJson(value),
  );
}

/** The endpoint, and the name there. */
function placeOf(providers: Spec['providers'], { id, provider, model, profile, file, api }: SpecModel): string {
  const account = providers[provider];
  const endpoint =
    account?.kind === 'openai'
      ? [new URL(account.baseUrl).href.replace(/\/+$/, ''), api ?? account.api ?? 'chat']
      : [provider, profile ?? null, file ?? null];
  return canonicalJson([...endpoint, model ?? id]);
}

/** The models that may ask as this one does, by id. */
export function askedAs(spec: Pick<Spec, 'models' | 'providers'>, id: string): string[] {
  const own = spec.models.find((model) => model.id === id);
  return own === undefined ? [] : spec.models.filter((other) => mayAskAlike(spec, own, other)).map((other) => other.id);
}

/** One sentence for each model that may ask as earlier ones of a study do. @param studies the models of each */
export function askedAlikeTexts(
  spec: Pick<Spec, 'models' | 'providers'>,
  studies: readonly (readonly string[])[],
): string[] {
  const texts = studies.flatMap((ids) =>
    ids.flatMap((id, place) => {
      const alike = askedAs(spec, id);
      const earlier = ids.slice(0, place).filter((other) => alike.includes(other));
      return earlier.length === 0 ? [] : [askedAlikeText([...earlier, id])];
    }),
  );
  return [...new Set(texts)];
}

export const askedAlikeText = (ids: readonly string[]): string =>
  `${ids.join(' and ')} ask one model at one endpoint: where their requests are equal, each is asked once and all of ` +
  'them have its answer, so that no comparison can tell them apart. Ask them in runs of their own.';
