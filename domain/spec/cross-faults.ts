/** Rules between the parts of a spec: names that must exist, be unique, or go together. */
import type { Spec, SpecModel, SpecStudy } from '../../schemas/spec.ts';
import { type Fault, knownHint } from './faults.ts';
import { benchmarkFaults } from './benchmark-faults.ts';

const inlineProviders = ['simulated', 'replay'];

export function crossFaults(spec: Spec): Fault[] {
  return [
    ...duplicates(spec.models.map(({ id }) => id)).map((index) => duplicate(['models', index, 'id'], spec.models[index]?.id)),
    ...duplicates(spec.studies.map(({ name }) => name)).map((index) => duplicate(['studies', index, 'name'], spec.studies[index]?.name)),
    ...spec.models.flatMap((model, index) => modelFaults(spec, model, ['models', index])),
    ...spec.studies.flatMap((_, index) => studyFaults(spec, index)),
    ...benchmarkFaults(spec),
    ...timedSuiteFaults(spec),
    ...reservedNames(spec),
  ];
}

/** A program's time is kept once for a run. */
function timedSuiteFaults({ studies }: Spec): Fault[] {
  const wanted = studies.map((study) => ({ study, suite: 'timedSuite' in study.settings ? study.settings.timedSuite : undefined }));
  return wanted.flatMap(({ study, suite }, index) => {
    const other = wanted.find((one) => isTimed(one.study) && one.study.benchmark === study.benchmark && one.suite !== suite);
    return suite === undefined || other === undefined
      ? []
      : [
          {
            path: ['studies', index, 'settings', 'timedSuite'],
            rule: `study "${other.study.name}" times another suite of "${study.benchmark}"; studies on one benchmark time the same`,
          },
        ];
  });
}

const isTimed = ({ kind }: SpecStudy): boolean => kind.startsWith('robunfr-');

const duplicate = (path: Fault['path'], name: string | undefined): Fault => ({ path, rule: `"${name}" is there already; ids are unique` });

/** Indexes whose value occurred before. */
const duplicates = (values: readonly string[]): number[] =>
  values.flatMap((value, index) => (values.indexOf(value) < index ? [index] : []));

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
    ...rolesIn(study).flatMap(({ name, id, without }) =>
      id === without ? [] : unknownName(['studies', index, 'settings', name], id, [...ids, without], 'model'),
    ),
    ...(study.models ?? []).flatMap((model, at) => unknownName(['studies', index, 'models', at], model, ids, 'model')),
    ...duplicates(study.models ?? []).map((at) => duplicate(['studies', index, 'models', at], study.models?.[at])),
  ];
  if (study.kind === 'promptse' && (study.settings.lightSamples ?? 0) > study.settings.samples)
    faults.push({
      path: ['studies', index, 'settings', 'lightSamples'],
      rule: `at most samples, ${study.settings.samples}, got ${study.settings.lightSamples}`,
    });
  if (study.kind === 'promptse' && study.settings.highConfidence < study.settings.lowConfidence)
    faults.push({
      path: ['studies', index, 'settings', 'highConfidence'],
      rule: `at least lowConfidence, ${study.settings.lowConfidence}, got ${study.settings.highConfidence}`,
    });
  if (study.kind === 'evaloop-translation')
    faults.push(
      ...study.settings.through.flatMap((benchmark, at) =>
        unknownName(['studies', index, 'settings', 'through', at], benchmark, Object.keys(spec.benchmarks), 'benchmark'),
      ),
    );
  if (study.kind === 'robunfr-regression') faults.push(...pairFaults(study.settings.pairs, ids, ['studies', index, 'settings', 'pairs']));
  const studied = spec.models.filter((model) => model.study && (study.models?.includes(model.id) ?? true));
  if (studied.length === 0)
    faults.push({ path: ['studies', index], rule: 'no model is left to study: every model says study: false or is not listed' });
  return faults;
}

interface NamedRole {
  readonly name: string;
  readonly id: string;
  /** What stands in the setting where the role is done without a model. */
  readonly without: string;
}

function rolesIn(study: SpecStudy): NamedRole[] {
  if (study.kind === 'evaloop') return [{ name: 'judge', id: study.settings.judge, without: 'none' }];
  if (study.kind === 'promptse') return [{ name: 'rewriter', id: study.settings.rewriter, without: 'rules' }];
  if (study.kind !== 'specificity') return [];
  const { writer, summarizer, checker, labeller, secondLabeller } = study.settings;
  return [
    { name: 'writer', id: writer, without: 'rules' },
    { name: 'summarizer', id: summarizer, without: 'rules' },
    { name: 'checker', id: checker, without: 'none' },
    { name: 'labeller', id: labeller, without: 'none' },
    { name: 'secondLabeller', id: secondLabeller, without: 'none' },
  ];
}

function pairFaults(pairs: readonly (readonly [string, string])[], ids: readonly string[], path: Fault['path']): Fault[] {
  return pairs.flatMap((pair, index) => [
    ...pair.flatMap((id, place) => unknownName([...path, index, place], id, ids, 'model')),
    ...(pair[0] === pair[1] ? [{ path: [...path, index], rule: `"${pair[0]}" against itself; name the old version and the new one` }] : []),
  ]);
}

const unknownName = (path: Fault['path'], name: string, known: readonly string[], what: string): Fault[] =>
  known.includes(name) ? [] : [{ path, rule: `no ${what} "${name}"; ${knownHint(name, known)}` }];

const reservedNames = (spec: Spec): Fault[] =>
  inlineProviders
    .filter((name) => name in spec.providers)
    .map((name) => ({
      path: ['providers', name],
      rule: `"${name}" is a built-in provider; choose another name for the account`,
      atKey: true,
    }));
