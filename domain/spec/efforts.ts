/**
 * A study at several reasoning efforts is a study at each of them: `loops` with `efforts: [low, high]` becomes
 * `loops-low` and `loops-high`, which have all that a study has. See decision 83.
 */
import { longestName } from '../../schemas/spec/fields.ts';
import type { ReasoningEffort } from '../../schemas/spec/parameters.ts';
import type { Spec, SpecStudy } from '../../schemas/spec.ts';
import type { Fault } from './faults.ts';
import { duplicate, duplicates } from './names.ts';

const nameAt = (name: string, effort: ReasoningEffort): string => `${name}-${effort}`;

/** The effort of a study of a run; null if its models are asked without one, or with their own. */
export const effortOf = ({ settings }: Pick<SpecStudy, 'settings'>): ReasoningEffort | null =>
  effortsIn(settings)[0] ?? null;

/** A kind of study may be without efforts. */
const effortsIn = (settings: object): readonly ReasoningEffort[] =>
  (settings as { readonly efforts?: readonly ReasoningEffort[] }).efforts ?? [];

/** The name that studies at several efforts share. A study without an effort has its own. */
export function familyOf({ name, settings }: Pick<SpecStudy, 'name' | 'settings'>): string {
  const effort = effortOf({ settings });
  return effort !== null && name.endsWith(`-${effort}`) ? name.slice(0, -effort.length - 1) : name;
}

/** The spec with one study for each effort. A study at one effort keeps its name. */
export const withStudyPerEffort = (spec: Spec): Spec => ({
  ...spec,
  studies: spec.studies.flatMap((study) => studiesOf(study)),
});

function studiesOf(study: SpecStudy): SpecStudy[] {
  const efforts = effortsIn(study.settings);
  if (efforts.length < 2) return [study];
  return efforts.map((effort) => {
    const settings = { ...study.settings, efforts: [effort] };
    return { ...study, name: nameAt(study.name, effort), settings } as SpecStudy;
  });
}

/** Faults of efforts in a spec as written. */
export const effortFaults = (spec: Spec): Fault[] =>
  spec.studies.flatMap((study, index) => {
    const efforts = effortsIn(study.settings);
    const path = ['studies', index, 'settings', 'efforts'];
    return [
      ...duplicates(efforts).map((at) => duplicate([...path, at], efforts[at])),
      ...(efforts.length < 2 ? [] : [...takenNames(spec, study, path), ...longNames(study, index)]),
      ...(efforts.length === 0 ? [] : ownEfforts(spec, study)),
    ];
  });

function takenNames(spec: Spec, study: SpecStudy, path: Fault['path']): Fault[] {
  const taken = studiesOf(study).find(({ name }) => spec.studies.some((other) => other.name === name));
  if (taken === undefined) return [];
  return [{ path, rule: `makes a study ${taken.name}, and another study has this name; rename one of them` }];
}

function longNames(study: SpecStudy, index: number): Fault[] {
  const long = studiesOf(study).find(({ name }) => name.length > longestName);
  if (long === undefined) return [];
  const rule = `with its effort, ${long.name} has ${long.name.length} characters; at most ${longestName} are allowed`;
  return [{ path: ['studies', index, 'name'], rule }];
}

/** A model's parameters override the study's: with an effort of its own, a model would be asked the same at each. */
function ownEfforts(spec: Spec, study: SpecStudy): Fault[] {
  return spec.models.flatMap(({ id, study: isStudied, parameters }, index) => {
    const isAsked = isStudied && (study.models?.includes(id) ?? true);
    if (!isAsked || parameters?.reasoningEffort === undefined) return [];
    const rule =
      `study ${study.name} asks ${id} at its own efforts; remove reasoningEffort, or list the models of the study ` +
      'without it';
    return [{ path: ['models', index, 'parameters', 'reasoningEffort'], rule }];
  });
}

/** The place in the spec as written of a study of the spec with one study for each effort. */
export function writtenIndex({ studies }: Pick<Spec, 'studies'>, index: number): number {
  const isNext = (at: number): boolean => {
    const [one, before] = [studies[at], studies[at - 1]];
    if (one === undefined || before === undefined || effortOf(one) === null) return false;
    return effortOf(before) !== null && familyOf(one) === familyOf(before);
  };
  return index - studies.slice(0, index + 1).filter((_, at) => isNext(at)).length;
}
