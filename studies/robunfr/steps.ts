/** The steps of RobuNFR's cells, and values derived from a study's settings. */
import type { Cell } from '../../schemas/plan.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { codeOf } from '../code-of.ts';
import type { Answer, At, CellState, Extracted } from '../cell-state.ts';
import { type Condition, conditions, type RobunfrKind, robunfrKinds } from './conditions.ts';
import { dimensionsOf } from './dimensions.ts';
import { problemOf } from './problem.ts';
import { type PromptProgram, promptPrograms } from './prompt-program.ts';

export type RobunfrStudy = Extract<SpecStudy, { kind: RobunfrKind }>;

export const isRobunfr = (study: SpecStudy): study is RobunfrStudy => robunfrKinds.some((kind) => kind === study.kind);

/** The step that asks for plain code, or for code with a requirement; and the step that improves plain code. */
export const plainAt: At = { step: 'generate', loop: 1, ask: 0, sample: 0 };
const improvedAt: At = { step: 'improve', loop: 2, ask: 0, sample: 0 };

/** The step with a cell's final answer. */
export const lastAt = (cell: Cell): At => (cell.setting === 'nfr-enhanced' ? improvedAt : plainAt);

export const conditionsOf = ({ kind, settings, repetitions }: RobunfrStudy): Condition[] =>
  conditions(kind, dimensionsOf(settings.dimensions), repetitions);

export const programOf = ({ settings: { prompts } }: RobunfrStudy): PromptProgram =>
  typeof prompts === 'string' ? promptPrograms[prompts] : prompts;

/** The program in an answer; a function body is completed with the problem's code. */
export const solutionOf = (study: RobunfrStudy, state: CellState, answer: Answer): Extracted =>
  codeOf(study, state, answer, problemOf(state.task));
