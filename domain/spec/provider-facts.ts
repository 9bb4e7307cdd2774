/** Facts about a model's provider, which is an account or built in. */
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import { type ApiName, type BuiltInName, builtInNames } from '../../schemas/spec/account.ts';
import { accountFacts, builtInFacts, type ProviderFacts } from '../../schemas/spec/providers.ts';

export const isBuiltIn = (provider: string): provider is BuiltInName => builtInNames.some((name) => name === provider);

/** A provider that the spec does not declare counts as neither paid nor simulated. */
export function providerFacts(
  { providers }: Pick<Spec, 'providers'>,
  { provider }: Pick<SpecModel, 'provider'>,
): ProviderFacts {
  const account = accountOf(providers, provider);
  if (account !== undefined) return accountFacts[account.kind];
  return isBuiltIn(provider) ? builtInFacts[provider] : { paid: false, simulated: false };
}

/** The protocol that a model is asked in. */
export const apiOf = ({ providers }: Pick<Spec, 'providers'>, { api, provider }: SpecModel): ApiName =>
  api ?? accountOf(providers, provider)?.api ?? 'chat';

/** A model may name what every object has, such as `constructor`: that is no account. */
const accountOf = (providers: Spec['providers'], name: string): Spec['providers'][string] | undefined =>
  Object.hasOwn(providers, name) ? providers[name] : undefined;

/** Whether the model's provider reads this key of the model. */
export const readsKey = ({ provider }: Pick<SpecModel, 'provider'>, key: keyof SpecModel): boolean =>
  isBuiltIn(provider) && builtInFacts[provider].ownKey?.key === key;
