/** Rules between the parts of a spec: names that must exist, be unique, or go together. */
import type { Spec, SpecModel } from '../../schemas/spec.ts';
import type { Fault } from './faults.ts';
import { builtInNames } from '../../schemas/spec/account.ts';
import { builtInFacts } from '../../schemas/spec/providers.ts';
import { benchmarkFaults } from './benchmark-faults.ts';
import { effortFaults } from './efforts.ts';
import { alike, duplicate, duplicates, unknownName } from './names.ts';
import { parameterFaults } from './parameter-faults.ts';

export function crossFaults(spec: Spec): Fault[] {
  return [
    ...duplicates(spec.models.map(({ id }) => id)).map((index) =>
      duplicate(['models', index, 'id'], spec.models[index]?.id),
    ),
    ...duplicates(spec.studies.map(({ name }) => name)).map((index) =>
      duplicate(['studies', index, 'name'], spec.studies[index]?.name),
    ),
    ...spec.studies.flatMap(({ name }, index) => {
      const before = spec.studies.slice(0, index).map((study) => study.name);
      return alike(['studies', index, 'name'], name, before);
    }),
    ...spec.models.flatMap((model, index) => modelFaults(spec, model, ['models', index])),
    ...spec.studies.flatMap((_, index) => studyFaults(spec, index)),
    ...benchmarkFaults(spec),
    ...effortFaults(spec),
    ...reservedNames(spec),
  ];
}

function modelFaults(spec: Spec, model: SpecModel, path: Fault['path']): Fault[] {
  const faults: Fault[] = [
    ...unknownName(
      [...path, 'provider'],
      model.provider,
      [...Object.keys(spec.providers), ...builtInNames],
      'provider',
    ),
    ...parameterFaults(spec, model, path),
  ];
  for (const owner of builtInNames) {
    const { ownKey } = builtInFacts[owner];
    if (ownKey === null) continue;
    const { key, title, needed } = ownKey;
    if (needed && model.provider === owner && model[key] === undefined)
      faults.push({ path, rule: `a model with provider: ${owner} needs "${key}", the ${title}` });
    if (model.provider !== owner && model[key] !== undefined)
      faults.push({
        path: [...path, key],
        rule: `only a model with provider: ${owner} may have a ${title}; remove this key`,
      });
  }
  if ((model.samplesPerRequest ?? 1) > 1 && model.parameters?.seed === undefined)
    faults.push({
      path: [...path, 'samplesPerRequest'],
      rule:
        'answers with different seeds cannot share a request: send no seed (parameters: { seed: null }), or remove ' +
        'samplesPerRequest',
    });
  if (model.mode === 'batch' && !Object.hasOwn(spec.providers, model.provider))
    faults.push({
      path: [...path, 'mode'],
      rule: `batches are asked at the endpoint of an account, and ${model.provider} has none; remove this key`,
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
    faults.push({
      path: ['studies', index],
      rule: 'has no model to study: every model has study: false or is not in its list of models',
    });
  return faults;
}

const reservedNames = (spec: Spec): Fault[] =>
  builtInNames
    .filter((name) => Object.hasOwn(spec.providers, name))
    .map((name) => ({
      path: ['providers', name],
      rule: `"${name}" is a built-in provider; choose another name for the account`,
      atKey: true,
    }));
