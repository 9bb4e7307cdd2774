/** Rules of RobuNFR. */
import { counted } from '../../domain/counted.ts';
import { nameList } from '../../domain/name-list.ts';
import { countMatches } from './exception-statements.ts';
import type { Fault } from '../../domain/spec/faults.ts';
import { askedAs, givenBy } from '../../domain/spec/equal-requests.ts';
import { unknownName } from '../../domain/spec/names.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { StudyRules } from '../rules.ts';
import { dimensionsOf } from './dimensions.ts';
import { promptProgramFaults } from './prompt-program.ts';
import { conditionsOf, type RobunfrStudy } from './steps.ts';

export const robunfrRules: StudyRules<RobunfrStudy> = {
  faults: (study, spec) => [...settingFaults(study.settings), ...pairFaults(study, spec)],
  lost: improvingOthers,
  assumptions: () => [
    'robunfr: an improvement is as long as the solution; a question that several studies put to one model, such ' +
      'as that for plain code, is asked once and counted with the first of them',
  ],
};

/** Phrasing i improves repetition i, counted round: of more repetitions than before, it may be another answer. */
function improvingOthers(old: RobunfrStudy, now: RobunfrStudy): string[] {
  if (now.repetitions <= old.repetitions) return [];
  const [before, after] = [improvedIn(old), improvedIn(now)];
  const others = [...before].flatMap(([variant, answer]) =>
    (after.get(variant) ?? answer) === answer ? [] : [variant],
  );
  return others.length === 0
    ? []
    : [
        `${counted(old.repetitions, 'repetition')} in the run, ${now.repetitions} in the spec: nfr-enhanced would ` +
          `improve other answers (${nameList(others)}); repetitions can be raised only where there were as many as ` +
          'phrasings',
      ];
}

/** By phrasing, the Function-Only answer that it improves. */
const improvedIn = (study: RobunfrStudy): Map<string, number> =>
  new Map(
    conditionsOf(study).flatMap(({ workflow, variant, repetition }) =>
      workflow === 'nfr-enhanced' ? [[variant, repetition] as const] : [],
    ),
  );

function settingFaults({ dimensions, prompts, exceptionStatements }: RobunfrStudy['settings']): Fault[] {
  const inSetting = (setting: string, rules: readonly string[]): Fault[] =>
    rules.map((rule) => ({ path: ['settings', setting], rule }));
  return [
    ...inSetting(
      'exceptionStatements',
      exceptionStatements === 'ast' ? [] : faultIn(() => countMatches('', exceptionStatements)),
    ),
    ...inSetting(
      'dimensions',
      faultIn(() => dimensionsOf(dimensions)),
    ),
    ...inSetting('prompts', typeof prompts === 'string' ? [] : promptProgramFaults(prompts)),
  ];
}

/** The message of the error that `check` throws. */
function faultIn(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

const sameRule = ([old, now]: readonly [string, string]): string =>
  `"${now}" is asked the same as "${old}" (one model at one endpoint, with the same parameters), and each request is ` +
  'asked once: they would have the same answers; name two versions, or ask them in two runs and compare these';

/**
 * Faults in the pairs of a study that compares versions. Those that ask alike have the same answers: any verdict would
 * be of nothing.
 */
function pairFaults(study: RobunfrStudy, spec: Spec): Fault[] {
  if (study.kind !== 'robunfr-regression') return [];
  const ids = spec.models.map(({ id }) => id);
  const names = study.settings.pairs.map((pair) => JSON.stringify(pair));
  return study.settings.pairs.flatMap((pair, index) => {
    const path = ['settings', 'pairs', index];
    return [
      ...pair.flatMap((id, place) => unknownName([...path, place], id, ids, 'model')),
      ...(pair[0] === pair[1]
        ? [{ path, rule: `compares "${pair[0]}" with itself; name the old version and the new one` }]
        : []),
      ...(names.indexOf(JSON.stringify(pair)) < index
        ? [{ path, rule: 'lists a pair a second time; each is compared once' }]
        : []),
      ...(askedAs(spec, pair[1], givenBy(study)).includes(pair[0]) ? [{ path, rule: sameRule(pair) }] : []),
    ];
  });
}
