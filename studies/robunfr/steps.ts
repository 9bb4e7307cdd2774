/** Where a study's questions are put, and what its settings come to. */
import type { Cell } from '../../schemas/plan.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { codeOf } from '../code-of.ts';
import type { Answer, At, CellState, Extracted } from '../study.ts';
import { type Condition, conditions, type RobunfrKind, robunfrKinds } from './conditions.ts';
import { dimensionsOf } from './dimensions.ts';
import { problemOf } from './problem.ts';
import { type PromptProgram, promptPrograms } from './prompt-program.ts';

export type RobunfrStudy = Extract<SpecStudy, { kind: RobunfrKind }>;

export const isRobunfr = (study: SpecStudy): study is RobunfrStudy => robunfrKinds.some((kind) => kind === study.kind);

/** Where the plain code, or code with a requirement in one step, is asked for; and where the plain code is improved. */
export const plainAt: At = { step: 'generate', loop: 1, ask: 0, sample: 0 };
const improvedAt: At = { step: 'improve', loop: 2, ask: 0, sample: 0 };

/** The place of the answer that a cell is about. */
export const lastAt = (cell: Cell): At => (cell.setting === 'nfr-enhanced' ? improvedAt : plainAt);

export const conditionsOf = ({ kind, settings, repetitions }: RobunfrStudy): Condition[] =>
  conditions(kind, dimensionsOf(settings.dimensions), repetitions);

export const programOf = ({ settings: { prompts } }: RobunfrStudy): PromptProgram =>
  typeof prompts === 'string' ? promptPrograms[prompts] : prompts;

/** The program in an answer; one that is a body only completes the problem as it was put. */
export const solutionOf = (study: RobunfrStudy, state: CellState, answer: Answer): Extracted =>
  codeOf(study, state, answer, problemOf(state.task));
