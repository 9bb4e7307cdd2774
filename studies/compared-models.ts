/** The models that a comparison is over: of each study, in every run that has it. */
import type { RunDatabase } from '../analysis/database.ts';
import type { Side, Sides } from '../analysis/gate/compared.ts';
import { records } from '../analysis/records.ts';
import type { ComparedModel, Comparison } from '../domain/compare/comparison.ts';
import { InputError } from '../domain/errors.ts';
import { nameList } from '../domain/name-list.ts';
import { knownHint } from '../domain/nearest.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { type ChangedTasks, tasksChanged } from './across/changed-tasks.ts';
import { studyModels } from './plan.ts';

export interface ModelsWanted {
  /** Ids, or `id (run)` if several runs have the model. Default: all models. */
  readonly models?: readonly string[];
  readonly study?: string;
}

/** A study in all runs that have it, with the models to compare. */
export interface StudySides {
  readonly study: SpecStudy;
  readonly sides: readonly Side[];
}

/** Throws InputError for a study or a model that no run has. */
export const wantedSides = (database: RunDatabase, wanted: ModelsWanted): StudySides[] =>
  chosen(studiesOf(database, wanted.study), wanted.models, isOverRuns(database));

const isOverRuns = ({ manifests }: RunDatabase): boolean => manifests.length > 1;

/** A model's id, with its run if there are several. */
const sideName = (database: RunDatabase, { manifest, model }: Side): string =>
  isOverRuns(database) ? `${model} (${manifest.runId})` : model;

/** The sides that have a finished task. */
export async function withAnswers(database: RunDatabase, sides: readonly Side[]): Promise<Side[]> {
  const rows = await records(database, 'SELECT DISTINCT run, study, model FROM verdicts');
  const answered = new Set(rows.map((row) => JSON.stringify([row['run'], row['study'], row['model']])));
  return sides.filter(({ manifest, study, model }) =>
    answered.has(JSON.stringify([manifest.runId, study.name, model])),
  );
}

/** Tasks that are not the same in all runs. */
export const changedTasks = (database: RunDatabase, sides: Sides['sides']): Promise<ChangedTasks> =>
  tasksChanged(
    database,
    sides.map(({ manifest }) => manifest),
    sides[0].study.benchmark,
  );

export async function comparedModels(database: RunDatabase, sides: Sides['sides']): Promise<ComparedModel[]> {
  const rows = await records(database, 'SELECT DISTINCT run, model FROM models WHERE simulated');
  const simulated = new Set(rows.map((row) => JSON.stringify([row['run'], row['model']])));
  return sides.map((side) => ({
    name: sideName(database, side),
    run: side.manifest.runId,
    model: side.model,
    simulated: simulated.has(JSON.stringify([side.manifest.runId, side.model])),
  }));
}

/**
 * One sentence if runs share no model, so that no model is compared with itself in another run: what is compared
 * instead.
 */
export function noCommonModel({ manifests }: RunDatabase, comparisons: readonly Comparison[]): string[] {
  const ofRuns = manifests.map(({ runId, spec }) => ({
    runId,
    models: [...new Set(spec.studies.flatMap((study) => studyModels(spec, study)))],
  }));
  const all = ofRuns.flatMap(({ models }) => models);
  if (manifests.length < 2 || new Set(all).size < all.length) return [];
  const places = manifests.length === 2 ? 'both runs' : `two of these ${manifests.length} runs`;
  const lists = ofRuns.map(({ runId, models }) => `${runId}: ${nameList(models)}`).join('; ');
  return [`no model is in ${places} (${lists})${insteadText(comparisons)}`];
}

function insteadText(comparisons: readonly Comparison[]): string {
  if (comparisons.length === 0) return '';
  const isAcross = comparisons.some(({ models }) => new Set(models.map(({ run }) => run)).size > 1);
  return isAcross
    ? '; compared instead: different models of these runs with each other, on the tasks that they share'
    : '; compared instead: the models of each run among themselves, since no study with answers is in two of the runs';
}

/** Studies of the same name and kind in several runs are one study. */
function studiesOf({ manifests }: RunDatabase, wanted: string | undefined): StudySides[] {
  const found = manifests.flatMap((manifest) =>
    manifest.spec.studies.map((study) => ({
      study,
      sides: studyModels(manifest.spec, study).map((model): Side => ({ manifest, study, model })),
    })),
  );
  const names = [...new Set(found.map(({ study }) => study.name))];
  if (wanted !== undefined && !names.includes(wanted))
    throw new InputError(`no study "${wanted}"; ${knownHint(wanted, names)}`, { field: '--study' });
  const same = Map.groupBy(found, ({ study: { name, kind } }) => JSON.stringify([name, kind]));
  return [...same.values()].flatMap((studies) => {
    const [first] = studies;
    if (first === undefined || (wanted !== undefined && first.study.name !== wanted)) return [];
    return [{ study: first.study, sides: studies.flatMap(({ sides }) => sides) }];
  });
}

function chosen(
  studies: readonly StudySides[],
  models: readonly string[] | undefined,
  isOverSeveral: boolean,
): StudySides[] {
  if (models === undefined) return [...studies];
  const namesOf = ({ manifest, model }: Side): string[] => [
    model,
    ...(isOverSeveral ? [`${model} (${manifest.runId})`] : []),
  ];
  const known = [...new Set(studies.flatMap(({ sides }) => sides.flatMap(namesOf)))];
  for (const model of models)
    if (!known.includes(model))
      throw new InputError(`no model "${model}"; ${knownHint(model, known)}`, { field: '--models' });
  return studies.map(({ study, sides }) => ({
    study,
    sides: sides.filter((side) => namesOf(side).some((name) => models.includes(name))),
  }));
}
