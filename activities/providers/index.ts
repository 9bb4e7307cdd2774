/**
 * The provider of each kind of account, and each built-in provider: one entry each. Their properties are in
 * schemas/spec/providers.ts.
 */
import type { SpecAccount, SpecModel } from '../../schemas/spec.ts';
import type { AccountKind, BuiltInName } from '../../schemas/spec/account.ts';
import type { SimulatedTask } from '../../simulator/model.ts';
import { type EndpointOptions, endpointOptions } from './endpoint-options.ts';
import { createOpenAiProvider } from './openai.ts';
import type { ProbedPaths } from './probe.ts';
import type { Provider } from './provider.ts';
import { createReplayProvider, type ReplayProviderOptions } from './replay.ts';
import { createSimulatedProvider } from './simulated.ts';
import { simulatedProfileOf } from './simulated-profile.ts';

type AccountOf<Kind extends AccountKind> = Extract<SpecAccount, { readonly kind: Kind }>;

export interface AccountProvider<Kind extends AccountKind = AccountKind> {
  /**
   * @param options the account's connection settings, with its secrets
   * @param account as in the spec
   */
  create(options: EndpointOptions, account: AccountOf<Kind>): Provider;
  /** Paths to probe before a run is created. */
  readonly probed: ProbedPaths;
  /** The headers that carry the account's key. */
  authorization(key: string): Readonly<Record<string, string>>;
}

const openai = {
  create: createOpenAiProvider,
  probed: { list: 'models', ask: 'chat/completions', example: 'https://api.openai.com/v1' },
  authorization: (key: string) => ({ authorization: `Bearer ${key}` }),
};

export const accountProviders: { readonly [Kind in AccountKind]: AccountProvider<Kind> } = {
  openai,
  simulator: openai,
};

/** Inputs of a built-in provider. */
export interface BuiltInSource {
  readonly model: SpecModel;
  /** The run's tasks, as simulated models know them. */
  tasks(): Promise<readonly SimulatedTask[]>;
  /** The run's copy of the model's recording. */
  recording(): ReplayProviderOptions;
}

/** Each throws or rejects if the model cannot be asked, for example because its recording is unusable. */
export const builtInProviders: Readonly<Record<BuiltInName, (source: BuiltInSource) => Provider | Promise<Provider>>> =
  {
    simulated: async ({ model, tasks }) =>
      createSimulatedProvider({
        name: model.model ?? model.id,
        profile: simulatedProfileOf(model),
        tasks: await tasks(),
      }),
    replay: ({ recording }) => createReplayProvider(recording()),
  };

export const createAccountProvider = <Kind extends AccountKind>(
  account: AccountOf<Kind> & { readonly kind: Kind },
): Provider => accountProviders[account.kind].create(endpointOptions(account), account);
