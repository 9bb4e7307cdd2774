/** RobuNFR's own table of one page: the result of each cell's program. */
import { countMatches } from './exception-statements.ts';
import { excludedOutcomes, excludedReplies, type Outcome } from '../../schemas/states.ts';
import type { Row, TableName } from '../../schemas/tables.ts';
import type { Answer, CellState, StudyPage, SuiteOutcome } from '../cell-state.ts';
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

interface Ending {
  readonly step: string;
  readonly passed: boolean | null;
  readonly failure: string | null;
}

/**
 * A cell passes if every suite passes its last answer, whatever was said of the plain code that it improves. It is
 * excluded only if no suite has a real failure.
 */
function ending(state: CellState): Ending {
  const at = lastAt(state.cell);
  // A plain answer without code was not improved: it is the last, and has an outcome where a suite can judge nobody.
  const last = state.answer(at) === undefined ? plainAt : at;
  const answer = state.answer(last);
  const ended = (passed: boolean | null, failure: string | null): Ending => ({ step: at.step, passed, failure });
  if (answer !== undefined && isWithoutReply(answer)) return ended(null, 'excluded');
  const outcomes = (state.outcomes(last) ?? [withoutCode]).map(({ outcome }) => outcome);
  const failed = outcomes.filter((outcome) => outcome !== 'pass');
  const real = failed.find((outcome) => !excludedOutcomes.has(outcome));
  if (failed.length === 0) return ended(true, null);
  if (real === undefined) return ended(null, 'excluded');
  const isUnimproved = answer !== undefined && last.step !== at.step;
  return ended(false, real === 'no_code' && isUnimproved ? 'nothing_to_improve' : failureOf(real));
}

const withoutCode: Pick<SuiteOutcome, 'outcome'> = { outcome: 'no_code' };

/** Nothing is known of an answer that was not asked for, or that evenkeel did not take. */
const isWithoutReply = ({ status }: Answer): boolean => status === 'not_asked' || excludedReplies.has(status);

/** The kinds of section 5.2. */
function failureOf(outcome: Outcome): string {
  if (outcome === 'exception') return 'raises';
  if (outcome === 'cpu_timeout' || outcome === 'wall_timeout') return 'timeout';
  return outcome === 'wrong_output' || outcome === 'syntax_error' || outcome === 'no_code' ? outcome : 'other';
}
