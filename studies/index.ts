/** The registry of studies: one line each. */
import type { SpecStudy } from '../schemas/spec.ts';
import { chainRules } from './chain/rules.ts';
import { chain } from './chain/study.ts';
import { evaloopRules } from './evaloop/rules.ts';
import { evaloop } from './evaloop/study.ts';
import { promptseRules } from './promptse/rules.ts';
import { promptse } from './promptse/study.ts';
import { robunfrRules } from './robunfr/rules.ts';
import { robunfr } from './robunfr/study.ts';
import type { StudyRules } from './rules.ts';
import { specificityRules } from './specificity/rules.ts';
import { specificity } from './specificity/study.ts';
import type { Study } from './study.ts';

/** What every kind of study has: what is asked, and what it demands of a spec. */
interface StudyParts<S extends SpecStudy> {
  readonly asking: Study<S>;
  readonly rules: StudyRules<S>;
}

const studies = {
  evaloop: { asking: evaloop, rules: evaloopRules },
  'evaloop-translation': { asking: chain, rules: chainRules },
  promptse: { asking: promptse, rules: promptseRules },
  'robunfr-prompts': { asking: { kind: 'robunfr-prompts', ...robunfr }, rules: robunfrRules },
  'robunfr-regression': { asking: { kind: 'robunfr-regression', ...robunfr }, rules: robunfrRules },
  'robunfr-workflows': { asking: { kind: 'robunfr-workflows', ...robunfr }, rules: robunfrRules },
  specificity: { asking: specificity, rules: specificityRules },
} satisfies { [K in SpecStudy['kind']]: StudyParts<Extract<SpecStudy, { kind: K }>> };

export const studyKinds = Object.keys(studies) as readonly SpecStudy['kind'][];

/** Names of all steps that studies bring for their pages. */
export const pageStepNames: readonly string[] = [...new Set(Object.values(studies).flatMap(({ asking }) => Object.keys(asking.pageSteps)))];

export const studyOf = (study: SpecStudy): Study => studies[study.kind].asking;
export const rulesOf = (study: SpecStudy): StudyRules => studies[study.kind].rules;
