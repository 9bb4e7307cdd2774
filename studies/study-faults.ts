/** Checks the studies of a spec: each study's own rules, and rules between studies. */
import type { Fault } from '../domain/spec/faults.ts';
import { unknownName } from '../domain/spec/names.ts';
import type { Spec, SpecStudy } from '../schemas/spec.ts';
import { rulesOf, studyOf } from './index.ts';

export const studyFaults = (spec: Spec): Fault[] => [
  ...spec.studies.flatMap((study, index) => [...roleFaults(spec, study, index), ...ownFaults(spec, study, index)]),
  ...timedSuiteFaults(spec),
];

function roleFaults({ models }: Spec, study: SpecStudy, index: number): Fault[] {
  const ids = models.map(({ id }) => id);
  const roles = rulesOf(study).roleSettings?.(study) ?? [];
  return roles.flatMap(({ setting, within = [], model, without }) => {
    if (model === without) return [];
    const path = ['studies', index, 'settings', setting, ...within];
    return unknownName(path, model, without === undefined ? ids : [...ids, without], 'model');
  });
}

const ownFaults = (spec: Spec, study: SpecStudy, index: number): Fault[] =>
  (rulesOf(study).faults?.(study, spec) ?? []).map(({ path, ...fault }) => ({
    ...fault,
    path: ['studies', index, ...path],
  }));

/** A run stores each program's time only once, so studies on one benchmark must time the same suite. */
function timedSuiteFaults({ studies }: Spec): Fault[] {
  const timed = studies.flatMap((study, index) => {
    const { timedSuite } = studyOf(study);
    return timedSuite === undefined ? [] : [{ study, index, suite: timedSuite(study) }];
  });
  return timed.flatMap(({ study, suite, index }) => {
    const other = timed.find((one) => one.study.benchmark === study.benchmark && one.suite !== suite);
    return suite === undefined || other === undefined
      ? []
      : [
          {
            path: ['studies', index, 'settings', 'timedSuite'],
            rule:
              `study "${other.study.name}" times another suite of "${study.benchmark}"; ` +
              'studies on the same benchmark must time the same suite',
          },
        ];
  });
}
