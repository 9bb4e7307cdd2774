/** The kinds of provider. A new kind is one file and one line here; the contract test takes it from this list. */
import { createOpenAiProvider } from './openai.ts';
import type { OpenAiProviderOptions } from './openai.ts';
import type { Provider } from './provider.ts';
import { createReplayProvider } from './replay.ts';
import type { ReplayProviderOptions } from './replay.ts';
import { createSimulatedProvider } from './simulated.ts';
import type { SimulatedProviderOptions } from './simulated.ts';

export interface ProviderOptions {
  readonly openai: OpenAiProviderOptions;
  readonly simulated: SimulatedProviderOptions;
  readonly replay: ReplayProviderOptions;
}

type ProviderKind = Provider['kind'];

export const providerKinds: { readonly [Kind in ProviderKind]: (options: ProviderOptions[Kind]) => Promise<Provider> } = {
  openai: async (options) => createOpenAiProvider(options),
  simulated: async (options) => createSimulatedProvider(options),
  replay: createReplayProvider,
};

/** Makes a provider ready to be asked. Rejects when a recording cannot be used. */
export const createProvider = <Kind extends ProviderKind>(kind: Kind, options: ProviderOptions[Kind]): Promise<Provider> =>
  providerKinds[kind](options);
