/** Builds a run's models for asking: provider, account, price. */
import { join } from 'node:path';
import { apiOf, isBuiltIn, providerFacts } from '../../domain/spec/provider-facts.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec, SpecAccount, SpecModel } from '../../schemas/spec.ts';
import type { ModelParameters } from '../../schemas/spec/parameters.ts';
import type { Task } from '../../schemas/task.ts';
import type { SimulatedTask } from '../../simulator/model.ts';
import { accountIdentity } from './accounts/account-identity.ts';
import type { Account, Accounts } from './accounts/accounts.ts';
import { createFailingStreak } from './attempts/failing-streak.ts';
import { batchPriceOf, priceOf } from './prices.ts';
import { builtInProviders, createAccountProvider } from '../providers/index.ts';
import type { ReplayProviderOptions } from '../providers/replay.ts';
import type { Provider } from '../providers/provider.ts';
import type { AskedModel } from './asked-model.ts';
import { placeInSpec } from './attempts/place-in-spec.ts';
import { simulatedTasks } from './simulated-tasks.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';

/** Concurrent calls of a model without an endpoint: as many as one transaction of the ledger takes. */
export const localConcurrency = 256;
/** Concurrent calls on an account whose spec sets no limit. */
export const endpointConcurrency = 32;

interface ModelSource {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly accounts: Accounts;
  readonly tasksOf: (benchmark: string) => ReadonlyMap<string, Task>;
  readonly ledger: Ledger;
  /** The same list for all models of the run, so that data derived from it is shared. */
  readonly simulatedTasks: () => Promise<readonly SimulatedTask[]>;
  readonly onProvider: (opened: Promise<Provider>) => void;
}

type GivenSource = Omit<ModelSource, 'simulatedTasks' | 'onProvider'>;

export interface Models {
  model(id: string): AskedModel;
  /** Closes the recordings and connections of all models that were asked. */
  close(): Promise<void>;
}

/** @param given the run; its simulated models read the ledger when the first of them is created */
export function openModels(given: GivenSource): Models {
  const models = new Map<string, AskedModel>();
  const providers = new Set<Promise<Provider>>();
  let tasks: Promise<readonly SimulatedTask[]> | undefined;
  const source: ModelSource = {
    ...given,
    simulatedTasks: () => {
      tasks ??= allSimulatedTasks(given);
      return tasks;
    },
    onProvider: (provider) => void providers.add(provider),
  };
  return {
    model: (id) => {
      const known = models.get(id) ?? askedModel(source, id);
      models.set(id, known);
      return known;
    },
    close: async () => void (await Promise.allSettled([...providers].map(async (opened) => (await opened).close()))),
  };
}

function askedModel(source: ModelSource, id: string): AskedModel {
  const { spec } = source.manifest;
  const index = spec.models.findIndex((model) => model.id === id);
  const model = spec.models[index];
  if (!model) throw new Error(`the spec has no model ${id}`);
  const account = spec.providers[model.provider];
  const facts = providerFacts(spec, model);
  let provider: Promise<Provider> | undefined;
  const price = facts.paid ? priceOf(model, account) : null;
  return {
    id,
    requestedModel: model.model ?? id,
    provider: () => {
      provider ??= opened(source, model);
      return provider;
    },
    simulated: facts.simulated || source.manifest.replays[id]?.simulated === true,
    account: account
      ? accountOf(source, account)
      : source.accounts.local(`${source.manifest.uuid} ${id}`, localConcurrency),
    streak: createFailingStreak(id),
    parameters: ownParameters(source.manifest.spec, model),
    price,
    // Runs that were rescored until 28 November 2026 replay models in this mode, and a recording takes no batches.
    asksInBatches: model.mode === 'batch' && account !== undefined,
    batchPrice: price && batchPriceOf(price, model),
    samplesPerRequest: model.samplesPerRequest ?? 1,
    strictVersion: model.strictVersion,
    free: !facts.paid,
    specPlace: (field) => placeInSpec(source.manifest, index, field),
  };
}

/** The Responses API takes no seed. */
export const ownParameters = (spec: Spec, model: SpecModel): ModelParameters => ({
  ...model.parameters,
  ...(apiOf(spec, model) === 'responses' && { seed: null }),
});

function accountOf({ accounts }: ModelSource, { baseUrl, apiKeyEnv, limits }: SpecAccount): Account {
  return accounts.open(accountIdentity({ baseUrl, apiKeyEnv }), limits, endpointConcurrency);
}

function opened(source: ModelSource, model: SpecModel): Promise<Provider> {
  const provider = providerOf(source, model);
  source.onProvider(provider);
  return provider;
}

async function providerOf(source: ModelSource, model: SpecModel): Promise<Provider> {
  const account = source.manifest.spec.providers[model.provider];
  if (account) return createAccountProvider({ ...account, api: apiOf(source.manifest.spec, model) });
  if (!isBuiltIn(model.provider)) throw new Error(`the spec has no provider ${model.provider}`);
  return builtInProviders[model.provider]({
    model,
    tasks: source.simulatedTasks,
    recording: () => replayFile(source, model),
  });
}

function replayFile({ folder, manifest }: ModelSource, model: SpecModel): ReplayProviderOptions {
  const input = manifest.replays[model.id];
  if (!input) throw new Error(`the run has no recording for model ${model.id}`);
  const { file, sha256, earlier: [first] = [] } = input;
  return {
    file: join(folder, file),
    sha256,
    name: model.file ?? file,
    firstSha256: first?.sha256 ?? sha256,
    isWhole: manifest.rescored !== undefined,
  };
}

const allSimulatedTasks = ({ manifest, tasksOf, ledger }: GivenSource): Promise<readonly SimulatedTask[]> =>
  simulatedTasks(
    Object.keys(manifest.benchmarks).flatMap((name) => [...tasksOf(name).values()]),
    ledger,
  );
