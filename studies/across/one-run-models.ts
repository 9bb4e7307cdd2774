/** Models that only one of the two runs of a gate has: nothing of them is gated, which a note says. */
import { nameList } from '../../domain/name-list.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { studyModels } from '../plan.ts';

/** @param wanted the only study that is gated; default: all that both runs have */
export function oneRunModels(old: Manifest, now: Manifest, wanted?: string): string[] {
  return [
    ...lackingModels(now, old, wanted).map(
      ({ model, studies }) =>
        `model ${model} is new${studies === null ? '' : ` in ${studies}`} since run ${old.runId}: nothing to compare ` +
        'it with, so it is not gated',
    ),
    ...lackingModels(old, now, wanted).map(
      ({ model, studies }) =>
        `model ${model} of run ${old.runId} is not in ${studies === null ? '' : `${studies} of `}run ${now.runId}: ` +
        'not gated',
    ),
  ];
}

interface LackingModel {
  readonly model: string;
  /** The studies in which the other run lacks it; null if that run has it nowhere. */
  readonly studies: string | null;
}

function lackingModels(run: Manifest, other: Manifest, wanted: string | undefined): LackingModel[] {
  const studies = run.spec.studies.filter(({ name }) => wanted === undefined || name === wanted);
  const models = [...new Set(studies.flatMap((study) => studyModels(run.spec, study)))];
  const elsewhere = new Set(other.spec.studies.flatMap((study) => studyModels(other.spec, study)));
  return models.flatMap((model): LackingModel[] => {
    if (!elsewhere.has(model)) return [{ model, studies: null }];
    const names = studies.filter((study) => isLacking(study, model, run, other)).map(({ name }) => name);
    if (names.length === 0) return [];
    return [{ model, studies: `${names.length === 1 ? 'study' : 'studies'} ${nameList(names)}` }];
  });
}

/** Whether both runs have the study, but only the first has the model in it. */
function isLacking(study: SpecStudy, model: string, run: Manifest, other: Manifest): boolean {
  const same = other.spec.studies.find(({ name, kind }) => name === study.name && kind === study.kind);
  if (same === undefined || !studyModels(run.spec, study).includes(model)) return false;
  return !studyModels(other.spec, same).includes(model);
}
