/** Studies that only one of the two runs of a gate has: nothing of them is gated, which a note says. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { studyModels } from '../plan.ts';

interface Wanted {
  /** The only study that is gated; default: all that both runs have. */
  readonly study?: string;
  /** The only models that are gated, of the old and of the new run; default: all that both have. */
  readonly old?: string;
  readonly now?: string;
}

export function oneRunStudies(old: Manifest, now: Manifest, wanted: Wanted): string[] {
  const isWanted = ({ spec }: Manifest, study: SpecStudy, model: string | undefined): boolean =>
    (wanted.study === undefined || study.name === wanted.study) &&
    (model === undefined || studyModels(spec, study).includes(model));
  return [
    ...now.spec.studies
      .filter((study) => isWanted(now, study, wanted.now))
      .flatMap((study) => newText(study, old, now)),
    ...old.spec.studies
      .filter((study) => isWanted(old, study, wanted.old) && kindIn(now, study) === null)
      .map(({ name }) => `study ${name} of run ${old.runId} is not in run ${now.runId}: not gated`),
  ];
}

function newText(study: SpecStudy, old: Manifest, now: Manifest): string[] {
  const { name, kind } = study;
  const before = kindIn(old, study);
  if (before === kind) return [];
  return [
    before === null
      ? `study ${name} is new since run ${old.runId}: nothing to compare it with, so it is not gated`
      : `study ${name} is of kind ${before} in run ${old.runId} and of kind ${kind} in run ${now.runId}: not gated`,
  ];
}

/** The kind of the study of this name; null if the run has none. */
const kindIn = ({ spec }: Manifest, { name }: SpecStudy): string | null =>
  spec.studies.find((study) => study.name === name)?.kind ?? null;
