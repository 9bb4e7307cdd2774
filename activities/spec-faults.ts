/** What a spec lacks beside its own text: files, presets, prices, keys. Looked at before anything is made or asked. */
import { readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { chatRequest, outputLimit } from '../domain/chat-request.ts';
import { nameList } from '../domain/name-list.ts';
import { nearest } from '../domain/nearest.ts';
import type { Fault } from '../domain/spec/faults.ts';
import type { Spec, SpecModel } from '../schemas/spec.ts';
import { rulesOf, studyOf } from '../studies/index.ts';
import { studyModels } from '../studies/plan.ts';
import { studyFaults } from '../studies/study-faults.ts';
import { priceOf } from './prices.ts';
import { profileFaults } from './simulated-profile.ts';

/** @param folder what the spec's paths are relative to */
export const specFaults = (spec: Spec, folder: string): Fault[] => [
  ...spec.models.flatMap(modelFaults),
  ...studyFaults(spec),
  ...pathsOf(spec).flatMap(({ path, file, isFolder = false }) => fileFaults(path, resolve(folder, file), isFolder)),
  ...(spec.budget?.usd === undefined ? [] : [...unpricedModels(spec).map(priceFault), ...ceilingFaults(spec)]),
];

const modelFaults = (model: SpecModel, index: number): Fault[] =>
  model.provider === 'simulated'
    ? profileFaults(model).map(({ path, ...fault }) => ({ ...fault, path: ['models', index, 'profile', ...path] }))
    : [];

interface NamedFile {
  readonly path: Fault['path'];
  readonly file: string;
  readonly isFolder?: boolean;
}

const pathsOf = ({ models, benchmarks, studies }: Spec): NamedFile[] => [
  ...studies.flatMap((study, index) =>
    (rulesOf(study).fileSettings?.(study) ?? []).map(({ setting, file }) => ({ path: ['studies', index, 'settings', setting], file })),
  ),
  ...models.flatMap(({ file }, index) => (file === undefined ? [] : [{ path: ['models', index, 'file'], file }])),
  ...Object.entries(benchmarks).flatMap(([name, { path, format, suites = [] }]) => [
    { path: ['benchmarks', name, 'path'], file: path, isFolder: format === 'pareval' },
    ...suites.flatMap((suite, index) =>
      typeof suite === 'string' ? [] : [{ path: ['benchmarks', name, 'suites', index, 'path'], file: suite.path }],
    ),
  ]),
];

function fileFaults(path: Fault['path'], file: string, isFolder: boolean): Fault[] {
  const found = statOf(file);
  if (isFolder && found?.isDirectory() === true) return [];
  if (isFolder) return [{ path, rule: `there is no folder ${file}; for pareval, name the folder of a ParEval checkout` }];
  if (found === undefined) return [{ path, rule: `there is no file ${file}${nearestFile(file)}` }];
  if (found.isDirectory()) return [{ path, rule: `${file} is a folder; name a file in it` }];
  return [];
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}

function nearestFile(file: string): string {
  try {
    const guess = nearest(basename(file), readdirSync(dirname(file)));
    return guess === undefined ? '' : `; did you mean "${guess}"?`;
  } catch {
    return `, nor a folder ${dirname(file)}`;
  }
}

/** Models that are asked for money and whose price nobody knows. */
export const unpricedModels = (spec: Spec): readonly SpecModel[] =>
  askedModels(spec).filter((model) => isPaid(spec, model) && priceOf(model, spec.providers[model.provider]) === null);

const isPaid = (spec: Spec, model: SpecModel): boolean => spec.providers[model.provider]?.kind === 'openai';

/** Under study somewhere, or in a role. */
export function askedModels(spec: Spec): SpecModel[] {
  const ids = new Set(
    spec.studies.flatMap((study) => [
      ...studyModels(spec, study),
      ...studyOf(study)
        .roles(study)
        .map(({ model }) => model),
    ]),
  );
  return spec.models.filter(({ id }) => ids.has(id));
}

/** Models whose answers may be of any length and price. */
export const ceilingFaults = (spec: Spec): Fault[] =>
  askedModels(spec).flatMap((model) => (hasCeiling(spec, model) ? [] : [ceilingFault(spec, model)]));

/** Whether every answer has a limit: one that is sent, or the context window that the price list knows. */
function hasCeiling(spec: Spec, model: SpecModel): boolean {
  if (!isPaid(spec, model) || priceOf(model, spec.providers[model.provider])?.contextWindow != null) return true;
  const limits = spec.studies.flatMap((study) =>
    studyOf(study)
      .calls(study)
      .filter(({ asked }) => (asked === 'study' ? studyModels(spec, study).includes(model.id) : asked.model === model.id))
      .map(({ maxTokens }) => outputLimit(chatRequest('', [], maxTokens === null ? {} : { maxTokens }, model.parameters ?? {}).parameters)),
  );
  return !limits.includes(null);
}

const ceilingFault = (spec: Spec, { id }: SpecModel): Fault => ({
  path: ['models', spec.models.findIndex((model) => model.id === id), 'parameters'],
  rule: `no limit on answers is sent for ${id}, and the price list does not know its context window, so that a budget in USD cannot hold; give the model parameters: { maxTokens: N } (or maxCompletionTokens), or set budget: { tokens: N }`,
});

const priceFault = ({ id }: SpecModel): Fault => ({
  path: ['budget', 'usd'],
  rule: `no price is known for ${id}, so that dollars cannot be counted; ${priceRemedy}`,
});
export const priceRemedy = 'give the model price: { inputUsdPerMillion: N, outputUsdPerMillion: N }, or set budget: { tokens: N }';

/** One line for each variable of a used account that is not set: its models would stop at their first call. */
export function unsetVariables(spec: Spec, env: NodeJS.ProcessEnv): string[] {
  const models = askedModels(spec);
  return Object.entries(spec.providers).flatMap(([name, { apiKeyEnv, headersEnv = {} }]) => {
    const served = models.filter(({ provider }) => provider === name).map(({ id }) => id);
    const variables = [...(apiKeyEnv === undefined ? [] : [apiKeyEnv]), ...Object.values(headersEnv)];
    const unset = served.length === 0 ? [] : variables.filter((variable) => !env[variable]);
    return unset.map(
      (variable) => `the environment variable ${variable} of provider ${name} is not set: ${nameList(served)} will not be asked`,
    );
  });
}
