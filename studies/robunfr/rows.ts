/** RobuNFR's own table of one page: the result of each cell's program. */
import { countMatches } from './exception-statements.ts';
import { excludedOutcomes, excludedReplies, type Outcome } from '../../schemas/states.ts';
import type { Row, TableName } from '../../schemas/tables.ts';
import type { CellState, StudyPage, SuiteOutcome } from '../cell-state.ts';
import { conditionsOf, lastAt, plainAt, type RobunfrStudy, solutionOf } from './steps.ts';

export function robunfrRows(study: RobunfrStudy, page: StudyPage): Partial<Record<TableName, Row[]>> {
  const byVariant = new Map(conditionsOf(study).map((condition) => [condition.variant, condition]));
  const scoreRow = (state: CellState): Row => {
    const condition = byVariant.get(state.cell.variant);
    return {
      ...page.key(state),
      dimension: condition?.dimension ?? 'function-only',
      phrasing: condition?.phrasing ?? null,
      ...ending(state),
      exception_matches: exceptionMatches(study, state),
      simulated: page.simulated,
    };
  };
  return { nfr_scores: page.cells.map(scoreRow) };
}

/** Null if the statements are counted in the syntax tree, in a sandbox. */
function exceptionMatches(study: RobunfrStudy, state: CellState): number | null {
  const { exceptionStatements } = study.settings;
  const answer = state.answer(lastAt(state.cell));
  const code = answer && solutionOf(study, state, answer).code;
  return exceptionStatements === 'ast' || !code ? null : countMatches(code, exceptionStatements);
}

/** A cell passes if every suite passes. It is excluded only if no suite has a real failure. */
function ending(state: CellState): {
  readonly step: string;
  readonly passed: boolean | null;
  readonly failure: string | null;
} {
  const at = lastAt(state.cell);
  if (state.answer(at)?.status === 'not_asked') return { step: at.step, passed: null, failure: 'excluded' };
  const plain = state.answer(plainAt);
  if (plain !== undefined && excludedReplies.has(plain.status))
    return { step: at.step, passed: null, failure: 'excluded' };
  const outcomes = (state.outcomes(at) ?? []).map(({ outcome }) => outcome);
  if (outcomes.length === 0)
    return isUnjudged(state.outcomes(plainAt))
      ? { step: at.step, passed: null, failure: 'excluded' }
      : { step: at.step, passed: false, failure: withoutCode(state) };
  const failed = outcomes.filter((outcome) => outcome !== 'pass');
  const real = failed.find((outcome) => !excludedOutcomes.has(outcome));
  if (failed.length === 0) return { step: at.step, passed: true, failure: null };
  return real === undefined
    ? { step: at.step, passed: null, failure: 'excluded' }
    : { step: at.step, passed: false, failure: failureOf(real) };
}

/** Without code there is nothing to improve, and nobody can be judged on the task. */
const isUnjudged = (plain: readonly SuiteOutcome[] | undefined): boolean =>
  plain !== undefined && plain.length > 0 && plain.every(({ outcome }) => excludedOutcomes.has(outcome));

const withoutCode = (state: CellState): string =>
  state.cell.setting === 'nfr-enhanced' && state.answer(plainAt) !== undefined && state.outcomes(plainAt) === undefined
    ? 'nothing_to_improve'
    : 'no_code';

/** The kinds of section 5.2. */
function failureOf(outcome: Outcome): string {
  if (outcome === 'exception') return 'raises';
  if (outcome === 'cpu_timeout' || outcome === 'wall_timeout') return 'timeout';
  return outcome === 'wrong_output' || outcome === 'syntax_error' ? outcome : 'other';
}
