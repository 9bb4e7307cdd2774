/** The registry of studies: one line each. */
import type { SpecStudy } from '../schemas/spec.ts';
import { chain } from './chain/study.ts';
import { evaloop } from './evaloop/study.ts';
import { promptse } from './promptse/study.ts';
import { robunfr } from './robunfr/study.ts';
import { specificity } from './specificity/study.ts';
import type { Study } from './study.ts';

const studies = {
  evaloop,
  'evaloop-translation': chain,
  promptse,
  'robunfr-prompts': { kind: 'robunfr-prompts', ...robunfr },
  'robunfr-regression': { kind: 'robunfr-regression', ...robunfr },
  'robunfr-workflows': { kind: 'robunfr-workflows', ...robunfr },
  specificity,
} satisfies { [K in SpecStudy['kind']]: Study<Extract<SpecStudy, { kind: K }>> };

export const studyOf = (study: SpecStudy): Study => studies[study.kind];
