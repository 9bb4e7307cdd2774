/** Rules between the parts of a spec: names that must exist, be unique, or go together. */
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import type { Fault } from './faults.ts';
import { benchmarkFaults } from './benchmark-faults.ts';
import { duplicate, duplicates, unknownName } from './names.ts';

const inlineProviders = ['simulated', 'replay'];

export function crossFaults(spec: Spec): Fault[] {
  return [
    ...duplicates(spec.models.map(({ id }) => id)).map((index) => duplicate(['models', index, 'id'], spec.models[index]?.id)),
    ...duplicates(spec.studies.map(({ name }) => name)).map((index) => duplicate(['studies', index, 'name'], spec.studies[index]?.name)),
    ...spec.models.flatMap((model, index) => modelFaults(spec, model, ['models', index])),
    ...spec.studies.flatMap((_, index) => studyFaults(spec, index)),
    ...benchmarkFaults(spec),
    ...reservedNames(spec),
  ];
}

function modelFaults(spec: Spec, model: SpecModel, path: Fault['path']): Fault[] {
  const faults: Fault[] = [
    ...unknownName([...path, 'provider'], model.provider, [...Object.keys(spec.providers), ...inlineProviders], 'provider'),
  ];
  if (model.provider === 'replay' && model.file === undefined) faults.push({ path, rule: 'a replayed model needs "file", the recording' });
  if (model.provider !== 'replay' && model.file !== undefined)
    faults.push({ path: [...path, 'file'], rule: 'only a model with provider: replay has a recording' });
  if (model.provider !== 'simulated' && model.profile !== undefined)
    faults.push({ path: [...path, 'profile'], rule: 'only a model with provider: simulated has a profile' });
  if ((model.samplesPerRequest ?? 1) > 1 && model.parameters?.seed !== null)
    faults.push({
      path: [...path, 'samplesPerRequest'],
      rule: 'draws with seeds of their own are asked for one by one: send no seed (parameters: { seed: null }), or leave samplesPerRequest out',
    });
  return faults;
}

function studyFaults(spec: Spec, index: number): Fault[] {
  const study = spec.studies[index];
  if (!study) return [];
  const ids = spec.models.map(({ id }) => id);
  const faults = [
    ...unknownName(['studies', index, 'benchmark'], study.benchmark, Object.keys(spec.benchmarks), 'benchmark'),
    ...(study.models ?? []).flatMap((model, at) => unknownName(['studies', index, 'models', at], model, ids, 'model')),
    ...duplicates(study.models ?? []).map((at) => duplicate(['studies', index, 'models', at], study.models?.[at])),
  ];
  const studied = spec.models.filter((model) => model.study && (study.models?.includes(model.id) ?? true));
  if (studied.length === 0)
    faults.push({ path: ['studies', index], rule: 'no model is left to study: every model says study: false or is not listed' });
  return faults;
}

const reservedNames = (spec: Spec): Fault[] =>
  inlineProviders
    .filter((name) => name in spec.providers)
    .map((name) => ({
      path: ['providers', name],
      rule: `"${name}" is a built-in provider; choose another name for the account`,
      atKey: true,
    }));
