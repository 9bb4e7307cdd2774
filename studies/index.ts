/** The registry of studies: one line each. */
import type { SpecStudy } from '../schemas/spec.ts';
import { evaloop } from './evaloop/study.ts';
import { promptse } from './promptse/study.ts';
import type { Study } from './study.ts';

const studies = { evaloop, promptse } satisfies { [K in SpecStudy['kind']]: Study<Extract<SpecStudy, { kind: K }>> };

export const studyOf = (study: SpecStudy): Study => studies[study.kind];
