/** The lanes of a run, with what makes a study's prompts apart from what its models are asked with them. */
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import type { Spec } from '../../schemas/spec.ts';
import { studyOf } from '../../studies/index.ts';

type Lane = Progress['lanes'][number];

export interface ShownLane extends Lane {
  /** What the model does there: `labeller`, `writer and checker`; null where it is under study. */
  readonly role: string | null;
}

/** Whether a model of the spec makes prompts, so that it is worth while to ask for `makingLanes`. */
export const makesPrompts = ({ studies }: Pick<Spec, 'studies'>): boolean =>
  studies.some((study) => (studyOf(study).variants?.model(study) ?? null) !== null);

/** @param making part of `lanes` */
export const lanesApart = (
  lanes: readonly Lane[],
  making: readonly Lane[],
  { studies }: Pick<Spec, 'studies'>,
): ShownLane[] =>
  lanes.flatMap((lane): ShownLane[] => {
    const made = making.find(({ study, model }) => study === lane.study && model === lane.model);
    if (made === undefined) return [{ ...lane, role: null }];
    const own = {
      cells: lane.cells - made.cells,
      cellsDone: lane.cellsDone - made.cellsDone,
      answered: Math.max(0, lane.answered - made.answered),
    };
    const role = roleOf(lane, studies);
    return [...(own.cells === 0 ? [] : [{ ...lane, ...own, role: null }]), { ...made, role }];
  });

function roleOf({ study: name, model }: Lane, studies: Spec['studies']): string {
  const study = studies.find((one) => one.name === name);
  const own = study === undefined ? [] : studyOf(study).roles(study);
  const roles = [...new Set(own.flatMap((one) => (one.model === model ? [one.role] : [])))];
  return roles.join(' and ') || 'maker of prompts';
}
