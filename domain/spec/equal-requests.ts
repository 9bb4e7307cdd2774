/** Models of a spec that may send equal requests: each request is asked once, so that these have the same answers. */
import type { Spec, SpecModel, SpecStudy } from '../../schemas/spec.ts';
import { canonicalJson } from '../ids.ts';

/** Values of parameters that models take which do not set them. */
export type GivenValues = Readonly<Record<string, unknown>>;

/** Those of a study, at each of its temperatures. */
export function givenBy({ settings }: Pick<SpecStudy, 'settings'>): GivenValues[] {
  const own = Object.fromEntries(Object.entries(settings).filter(([name]) => givenNames.includes(name)));
  const further = 'temperatures' in settings ? settings.temperatures : [];
  const isAlone = 'temperature' in own || further.length === 0;
  return [...(isAlone ? [own] : []), ...further.map((temperature) => ({ ...own, temperature }))];
}
const givenNames = ['temperature', 'topP', 'maxTokens'];

/** Whether two models ask alike: one name at one endpoint, and the same parameters. @param given null: by any study */
function mayAskAlike(
  { providers }: Pick<Spec, 'providers'>,
  one: SpecModel,
  other: SpecModel,
  given: GivenValues | null,
): boolean {
  if (one.id === other.id || placeOf(providers, one) !== placeOf(providers, other)) return false;
  const [first, second] = [one.parameters ?? {}, other.parameters ?? {}] as [GivenValues, GivenValues];
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].every((name) => {
    const [value, otherValue] = [first, second].map((own) => (name in own ? own[name] : given?.[name]));
    if (value !== undefined && otherValue !== undefined) return canonicalJson(value) === canonicalJson(otherValue);
    // Where nothing is drawn at random, no seed is sent.
    const isGreedy = (first['temperature'] ?? given?.['temperature']) === 0;
    return given === null || (name === 'seed' && isGreedy && (value ?? otherValue ?? null) === null);
  });
}

/** The endpoint as requests know it, without the name there. */
function endpointOf(providers: Spec['providers'], { provider, profile, file, api }: SpecModel): string {
  const account = providers[provider];
  return account?.kind === 'openai'
    ? canonicalJson([new URL(account.baseUrl).href.replace(/\/+$/, ''), api ?? account.api ?? 'chat'])
    : canonicalJson([provider, profile ?? null, file ?? null]);
}

const placeOf = (providers: Spec['providers'], model: SpecModel): string =>
  canonicalJson([endpointOf(providers, model), model.model ?? model.id]);

/**
 * The models that may ask as this one does, by id.
 * @param given what models take that they do not set, in one case or several; null: anything
 */
export function askedAs(
  spec: Pick<Spec, 'models' | 'providers'>,
  id: string,
  given: readonly GivenValues[] | null = null,
): string[] {
  const own = spec.models.find((model) => model.id === id);
  if (own === undefined) return [];
  const isAlike = (other: SpecModel): boolean =>
    given === null
      ? mayAskAlike(spec, own, other, null)
      : given.some((values) => mayAskAlike(spec, own, other, values));
  return spec.models.filter(isAlike).map((other) => other.id);
}

/** One sentence for each model that may ask as earlier ones of a study do. @param studies the models of each */
export function askedAlikeTexts(
  spec: Pick<Spec, 'models' | 'providers'>,
  studies: readonly { readonly given: readonly GivenValues[]; readonly ids: readonly string[] }[],
): string[] {
  const texts = studies.flatMap(({ given, ids }) =>
    ids.flatMap((id, place) => {
      const alike = askedAs(spec, id, given);
      const earlier = ids.slice(0, place).filter((other) => alike.includes(other));
      return earlier.length === 0 ? [] : [askedAlikeText([...earlier, id])];
    }),
  );
  return [...new Set(texts)];
}

export const askedAlikeText = (ids: readonly string[]): string =>
  `${ids.join(' and ')} ask one model at one endpoint: where their requests are equal, each is asked once and all of ` +
  'them have its answer, so that no comparison can tell them apart. Ask them in runs of their own.';
