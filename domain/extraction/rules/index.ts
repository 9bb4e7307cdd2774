/** The rules that a study can name, and each framework's own: a rule that is missing does not compile. */
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { ExtractionName } from '../../../schemas/spec/fields.ts';
import { lastDefining } from './last-defining.ts';
import { paperChain } from './paper-chain.ts';
import { paperEvaloop } from './paper-evaloop.ts';
import { paperPromptse } from './paper-promptse.ts';
import { paperRobunfr } from './paper-robunfr.ts';
import { paperSpecificity } from './paper-specificity.ts';
import type { ExtractionRule } from './rule.ts';
import { strict } from './strict.ts';

const paperRules = {
  evaloop: paperEvaloop,
  'evaloop-translation': paperChain,
  promptse: paperPromptse,
  'robunfr-prompts': paperRobunfr,
  'robunfr-regression': paperRobunfr,
  'robunfr-workflows': paperRobunfr,
  specificity: paperSpecificity,
} as const satisfies Record<SpecStudy['kind'], ExtractionRule>;

const rules = {
  paper: (kind) => paperRules[kind],
  'last-defining': () => lastDefining,
  strict: () => strict,
} as const satisfies Record<ExtractionName, (kind: SpecStudy['kind']) => ExtractionRule>;

/** What a study goes by that says nothing: a run that was made before studies could. A new run says it for every study. */
export const earlierExtraction: ExtractionName = 'last-defining';
/** What a new study goes by that says nothing. */
export const defaultExtraction: ExtractionName = 'paper';

export const ruleOf = ({ kind, extraction = earlierExtraction }: Pick<SpecStudy, 'kind' | 'extraction'>): ExtractionRule =>
  rules[extraction](kind);
