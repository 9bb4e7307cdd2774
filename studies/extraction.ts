/** The extraction rules that a study can name, and each framework's own; a missing rule is a compile error. */
import type { SpecStudy } from '../schemas/spec.ts';
import type { ExtractionName } from '../schemas/spec/fields.ts';
import { lastDefining } from '../domain/extraction/rules/last-defining.ts';
import { paperChain } from './chain/extraction.ts';
import { paperEvaloop } from './evaloop/extraction.ts';
import { plainPass } from './pass/extraction.ts';
import { paperPromptse } from './promptse/extraction.ts';
import { paperRobunfr } from './robunfr/extraction.ts';
import { paperSpecificity } from './specificity/extraction.ts';
import type { ExtractionRule } from '../domain/extraction/rules/rule.ts';
import { strict } from '../domain/extraction/rules/strict.ts';

const paperRules = {
  evaloop: paperEvaloop,
  'evaloop-translation': paperChain,
  promptse: paperPromptse,
  'robunfr-prompts': paperRobunfr,
  'robunfr-regression': paperRobunfr,
  'robunfr-workflows': paperRobunfr,
  specificity: paperSpecificity,
  pass: plainPass,
} as const satisfies Record<SpecStudy['kind'], ExtractionRule>;

const rules = {
  paper: (kind) => paperRules[kind],
  'last-defining': () => lastDefining,
  strict: () => strict,
} as const satisfies Record<ExtractionName, (kind: SpecStudy['kind']) => ExtractionRule>;

/**
 * The rule of studies without one: only in runs made before the setting existed. New runs store it for every study.
 */
export const earlierExtraction: ExtractionName = 'last-defining';
/** The default rule of a new study. */
export const defaultExtraction: ExtractionName = 'paper';

export const ruleOf = ({
  kind,
  extraction = earlierExtraction,
}: Pick<SpecStudy, 'kind' | 'extraction'>): ExtractionRule => rules[extraction](kind);
