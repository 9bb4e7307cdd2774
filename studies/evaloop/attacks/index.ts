/** The attacks that a spec can name. To add one, add a file here and a line below. */
import type { Attack } from './attack.ts';
import { caseTransformation } from './case.ts';
import { redundantElaboration } from './elaboration.ts';
import { letterCase } from './letter-case.ts';
import { structuralReformatting } from './structure.ts';
import { swappedLetters } from './swapped-letters.ts';
import { synonyms } from './synonyms.ts';
import { typos } from './typos.ts';
import { whiteSpace } from './white-space.ts';

export const attacks: readonly Attack[] = [
  caseTransformation,
  structuralReformatting,
  redundantElaboration,
  typos,
  swappedLetters,
  letterCase,
  whiteSpace,
  synonyms,
];
