/** Makes the models of a run as they are asked: provider, account, price. */
import { join } from 'node:path';
import { specPlace } from '../domain/spec/spec-place.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { SpecAccount, SpecModel } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import type { SimulatedTask } from '../simulator/model.ts';
import type { AccountIdentity } from './account-store.ts';
import type { Account, Accounts } from './accounts.ts';
import { priceOf } from './prices.ts';
import { createProvider } from './providers/index.ts';
import type { OpenAiProviderOptions } from './providers/openai.ts';
import type { ReplayProviderOptions } from './providers/replay.ts';
import { type Provider, ProviderFault, type SpecField } from './providers/provider.ts';
import type { AskedModel } from './runs.ts';
import { simulatedProfileOf } from './simulated-profile.ts';
import { simulatedTasks } from './simulated-tasks.ts';
import type { Ledger } from './storage/ledger.ts';

/** Calls of a model without an endpoint that go on at the same time: as many as one transaction of the ledger takes. */
export const localConcurrency = 256;
/** Calls at the same time on an account whose spec gives no limit. */
export const endpointConcurrency = 32;

interface ModelSource {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly accounts: Accounts;
  readonly tasksOf: (benchmark: string) => ReadonlyMap<string, Task>;
  readonly ledger: Ledger;
  /** The same list for all models of the run, which then share what is made of it. */
  readonly simulatedTasks: () => readonly SimulatedTask[];
}

/** @param given the run; what its simulated models know is read from the ledger when the first of them is made */
export function modelFactory(given: Omit<ModelSource, 'simulatedTasks'>): (id: string) => AskedModel {
  const models = new Map<string, AskedModel>();
  let tasks: SimulatedTask[] | undefined;
  const source: ModelSource = {
    ...given,
    simulatedTasks: () => {
      tasks ??= allSimulatedTasks(given);
      return tasks;
    },
  };
  return (id) => {
    const known = models.get(id) ?? askedModel(source, id);
    models.set(id, known);
    return known;
  };
}

function askedModel(source: ModelSource, id: string): AskedModel {
  const { spec } = source.manifest;
  const index = spec.models.findIndex((model) => model.id === id);
  const model = spec.models[index];
  if (!model) throw new Error(`the spec has no model ${id}`);
  const account = spec.providers[model.provider];
  let provider: Promise<Provider> | undefined;
  return {
    id,
    requestedModel: model.model ?? id,
    provider: () => {
      provider ??= providerOf(source, model);
      return provider;
    },
    simulated: model.provider === 'simulated' || account?.kind === 'simulator' || source.manifest.replays[id]?.simulated === true,
    account: account ? accountOf(source, account) : source.accounts.local(`${source.manifest.uuid} ${id}`, localConcurrency),
    parameters: model.parameters ?? {},
    price: account?.kind === 'openai' ? priceOf(model, account) : null,
    samplesPerRequest: model.samplesPerRequest ?? 1,
    strictVersion: model.strictVersion,
    free: account?.kind !== 'openai',
    specPlace: (field) => specPlaceOf(source.manifest, index, field),
  };
}

/** The place in the file counts more than the path: it is what an editor jumps to. */
function specPlaceOf({ spec, specText, specFile }: Manifest, index: number, field: SpecField | null): string {
  const model = `models[${index}] of the spec`;
  if (field === null) return model;
  const account = spec.models[index]?.provider ?? '';
  const path = [...(field.of === 'provider' ? ['providers', account] : ['models', index]), ...field.path];
  const { line, column } = specPlace(specText, path);
  return `${model}; see ${specFile ?? 'the spec'}:${line}:${column}  ${path.join('.')}`;
}

function accountOf({ accounts }: ModelSource, { baseUrl, apiKeyEnv, limits }: SpecAccount): Account {
  return accounts.open(accountIdentity({ baseUrl, apiKeyEnv }), limits, endpointConcurrency);
}

export const accountIdentity = ({ baseUrl, apiKeyEnv }: Pick<SpecAccount, 'baseUrl' | 'apiKeyEnv'>): AccountIdentity => ({
  endpoint: baseUrl.replace(/\/+$/, ''),
  keyVariable: apiKeyEnv ?? null,
});

function providerOf(source: ModelSource, model: SpecModel): Promise<Provider> {
  const account = source.manifest.spec.providers[model.provider];
  if (account) return createProvider('openai', endpointOptions(account));
  if (model.provider === 'replay') return createProvider('replay', replayFile(source, model));
  return createProvider('simulated', {
    name: model.model ?? model.id,
    profile: simulatedProfileOf(model),
    tasks: source.simulatedTasks(),
  });
}

/** Getters: a worker that only writes tables needs no keys. */
const endpointOptions = ({ baseUrl, apiKeyEnv, headersEnv, timeoutMs, maxReplyBytes }: SpecAccount): OpenAiProviderOptions => ({
  baseUrl,
  get apiKey() {
    return apiKeyEnv === undefined ? null : secret(apiKeyEnv);
  },
  get headers() {
    return Object.fromEntries(Object.entries(headersEnv ?? {}).map(([header, variable]) => [header, secret(variable)]));
  },
  timeoutMs,
  maxReplyBytes,
});

/** Keys are read where they are used and nowhere kept. */
function secret(variable: string): string {
  const value = process.env[variable];
  if (value === undefined || value === '')
    throw new ProviderFault('stop', `the environment variable ${variable} is not set in this worker`, { unsent: `${variable} is not set` });
  return value;
}

function replayFile({ folder, manifest }: ModelSource, model: SpecModel): ReplayProviderOptions {
  const input = manifest.replays[model.id];
  if (!input) throw new Error(`the run holds no recording for model ${model.id}`);
  const { file, sha256, earlier: [first] = [] } = input;
  return {
    file: join(folder, file),
    sha256,
    name: model.file ?? file,
    firstSha256: first?.sha256 ?? sha256,
    isWhole: manifest.rescored !== undefined,
  };
}

function allSimulatedTasks({ manifest, tasksOf, ledger }: Omit<ModelSource, 'simulatedTasks'>): SimulatedTask[] {
  return Object.keys(manifest.benchmarks).flatMap((name) => simulatedTasks([...tasksOf(name).values()], ledger));
}
