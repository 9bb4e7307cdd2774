/** The registry of studies: one line each. */
import type { SpecStudy } from '../schemas/spec.ts';
import { chainRules } from './chain/rules.ts';
import { chain } from './chain/study.ts';
import { evaloopExample } from './evaloop/example.ts';
import { evaloopRules } from './evaloop/rules.ts';
import { evaloop } from './evaloop/study.ts';
import { passExample } from './pass/example.ts';
import { passRules } from './pass/rules.ts';
import { pass } from './pass/study.ts';
import { promptseExample } from './promptse/example.ts';
import { promptseRules } from './promptse/rules.ts';
import { promptse } from './promptse/study.ts';
import { robunfrExample } from './robunfr/example.ts';
import { robunfrRules } from './robunfr/rules.ts';
import { robunfr } from './robunfr/study.ts';
import type { StudyExample, StudyRules } from './rules.ts';
import { specificityExample } from './specificity/example.ts';
import { specificityRules } from './specificity/rules.ts';
import { specificity } from './specificity/study.ts';
import type { Study } from './study.ts';

export { givenSamplesStudy, mostGivenSamples } from './pass/given-samples.ts';

/** What every kind of study provides: its questions, and its rules for a spec. */
interface StudyParts<S extends SpecStudy> {
  readonly asking: Study<S>;
  readonly rules: StudyRules<S>;
  /** Null if it needs files that cannot be shipped. */
  readonly example: StudyExample | null;
}

const studies = {
  evaloop: { asking: evaloop, rules: evaloopRules, example: evaloopExample },
  'evaloop-translation': { asking: chain, rules: chainRules, example: null },
  promptse: { asking: promptse, rules: promptseRules, example: promptseExample },
  'robunfr-prompts': { asking: { kind: 'robunfr-prompts', ...robunfr }, rules: robunfrRules, example: robunfrExample },
  'robunfr-regression': {
    asking: { kind: 'robunfr-regression', ...robunfr },
    rules: robunfrRules,
    example: robunfrExample,
  },
  'robunfr-workflows': {
    asking: { kind: 'robunfr-workflows', ...robunfr },
    rules: robunfrRules,
    example: robunfrExample,
  },
  specificity: { asking: specificity, rules: specificityRules, example: specificityExample },
  pass: { asking: pass, rules: passRules, example: passExample },
} satisfies { [K in SpecStudy['kind']]: StudyParts<Extract<SpecStudy, { kind: K }>> };

export const studyKinds = Object.keys(studies) as readonly SpecStudy['kind'][];

/** Names of all studies' page steps. */
export const pageStepNames: readonly string[] = [
  ...new Set(Object.values(studies).flatMap(({ asking }) => Object.keys(asking.pageSteps))),
];

/** Kinds of study whose prompts are labelled. */
export const kindsWithLabels = studyKinds.filter((kind) => studies[kind].asking.labels !== undefined);

export const studyOf = (study: SpecStudy): Study => studies[study.kind].asking;
export const rulesOf = (study: SpecStudy): StudyRules => studies[study.kind].rules;

/** Each example once: one file may serve several kinds. */
export const studyExamples: readonly StudyExample[] = [
  ...new Set(Object.values(studies).flatMap(({ example }) => example ?? [])),
];
