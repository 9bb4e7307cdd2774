/**
 * Checks what a spec needs besides its own text: files, presets, prices, keys.
 * Runs before anything is created or asked.
 */
import { existsSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { chatRequest, decodingOf, outputLimit } from '../../domain/chat-request.ts';
import { nameList } from '../../domain/name-list.ts';
import { nearest } from '../../domain/nearest.ts';
import { effortOf } from '../../domain/spec/efforts.ts';
import { providerFacts, readsKey } from '../../domain/spec/provider-facts.ts';
import type { Fault } from '../../domain/spec/faults.ts';
import { unreadable } from '../../domain/unreadable.ts';
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import { rulesOf, studyOf } from '../../studies/index.ts';
import { studyModels } from '../../studies/plan.ts';
import { studyFaults } from '../../studies/study-faults.ts';
import { priceOf } from '../calls/prices.ts';
import { readSecret } from '../providers/secret.ts';
import { profileFaults } from '../providers/simulated-profile.ts';
import { noRegularFile } from '../storage/files/regular-file.ts';

/** @param folder folder that the spec's paths are relative to */
export const specFaults = (spec: Spec, folder: string): Fault[] => [
  ...spec.models.flatMap(modelFaults),
  ...studyFaults(spec),
  ...pathsOf(spec).flatMap(({ path, file, isFolder = false }) => fileFaults(path, resolve(folder, file), isFolder)),
  ...(spec.budget?.usd === undefined ? [] : [...unpricedModels(spec).map(priceFault), ...ceilingFaults(spec)]),
];

const modelFaults = (model: SpecModel, index: number): Fault[] =>
  readsKey(model, 'profile')
    ? profileFaults(model).map(({ path, ...fault }) => ({ ...fault, path: ['models', index, 'profile', ...path] }))
    : [];

interface NamedFile {
  readonly path: Fault['path'];
  readonly file: string;
  readonly isFolder?: boolean;
}

const pathsOf = ({ models, benchmarks, studies }: Spec): NamedFile[] => [
  ...studies.flatMap((study, index) =>
    (rulesOf(study).fileSettings?.(study) ?? []).map(({ setting, file }) => ({
      path: ['studies', index, 'settings', setting],
      file,
    })),
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
  if (typeof found === 'string') return [{ path, rule: `${file} ${found}` }];
  if (isFolder && found?.isDirectory() === true) return [];
  if (isFolder) return [{ path, rule: `no such folder: ${file}; for pareval, name the folder of a ParEval checkout` }];
  if (found === undefined) return [{ path, rule: `no such file: ${file}${nearestFile(file)}` }];
  if (found.isDirectory()) return [{ path, rule: `${file} is a folder; name a file in it` }];
  return found.isFile() ? [] : [{ path, rule: `${file} ${noRegularFile}` }];
}

/** Undefined if it does not exist; a reason if that cannot be known. */
function statOf(file: string): Stats | string | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    return unreadable(error);
  }
}

function nearestFile(file: string): string {
  try {
    const guess = nearest(basename(file), readdirSync(dirname(file)));
    return guess === undefined ? '' : `; did you mean "${guess}"?`;
  } catch {
    return existsSync(dirname(file)) ? '' : `; the folder ${dirname(file)} does not exist either`;
  }
}

/** Paid models without a known price. */
export const unpricedModels = (spec: Spec): readonly SpecModel[] =>
  askedModels(spec).filter((model) => isPaid(spec, model) && priceOf(model, spec.providers[model.provider]) === null);

const isPaid = (spec: Spec, model: SpecModel): boolean => providerFacts(spec, model).paid;

/** Models that are under study or have a role in a study. */
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

/** Errors for models whose answers have no limit on length and cost. */
export const ceilingFaults = (spec: Spec): Fault[] =>
  askedModels(spec).flatMap((model) => (hasCeiling(spec, model) ? [] : [ceilingFault(spec, model)]));

/** Whether every answer has a limit: one sent with the request, or a context window from the price list. */
function hasCeiling(spec: Spec, model: SpecModel): boolean {
  if (!isPaid(spec, model) || priceOf(model, spec.providers[model.provider])?.contextWindow != null) return true;
  const limits = spec.studies.flatMap((study) =>
    studyOf(study)
      .calls(study)
      .filter(({ asked }) =>
        asked === 'study' ? studyModels(spec, study).includes(model.id) : asked.model === model.id,
      )
      .map(({ maxTokens, asked }) => {
        const decoding = decodingOf(maxTokens, asked === 'study' ? effortOf(study) : null);
        return outputLimit(chatRequest('', [], decoding, model.parameters ?? {}).parameters);
      }),
  );
  return !limits.includes(null);
}

const ceilingFault = (spec: Spec, { id }: SpecModel): Fault => ({
  path: ['models', spec.models.findIndex((model) => model.id === id), 'parameters'],
  rule:
    `no limit on answers is sent for ${id}, and the price list does not know its context window, ` +
    'so a USD budget cannot be enforced; give the model parameters: ' +
    '{ maxTokens: N } (or maxCompletionTokens), or set budget: { tokens: N }',
});

const priceFault = ({ id }: SpecModel): Fault => ({
  path: ['budget', 'usd'],
  rule: `no price known for ${id}, so the USD budget cannot be enforced; ${priceRemedy}`,
});
export const priceRemedy =
  'give the model price: { inputUsdPerMillion: N, outputUsdPerMillion: N }, or set budget: { tokens: N }';

/** One line per unset variable of a used account: its models would stop at their first call. */
export function unsetVariables(spec: Spec, env: NodeJS.ProcessEnv): string[] {
  const models = askedModels(spec);
  return Object.entries(spec.providers).flatMap(([name, { apiKeyEnv, headersEnv = {} }]) => {
    const served = models.filter(({ provider }) => provider === name).map(({ id }) => id);
    const variables = [...(apiKeyEnv === undefined ? [] : [apiKeyEnv]), ...Object.values(headersEnv)];
    return (served.length === 0 ? [] : variables).flatMap((variable) => {
      const secret = readSecret(variable, env);
      if ('value' in secret) return [];
      return [
        `the environment variable ${variable} of provider ${name} ${secret.fault}: ` +
          `${nameList(served)} will not be asked`,
      ];
    });
  });
}
