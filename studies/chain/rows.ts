/**
 * The chain's own tables, computed from a page's answers and verdicts: `translations`, one row per step, and `chains`,
 * one row per cell.
 */
import { type ChainEnding, excludedOutcomes, type Outcome } from '../../schemas/states.ts';
import type { Row, TableName } from '../../schemas/tables.ts';
import type { CellState, StudyPage, SuiteOutcome } from '../cell-state.ts';
import { type ChainStudy, taskAt, translated } from './steps.ts';

export function chainRows(study: ChainStudy, page: StudyPage): Partial<Record<TableName, Row[]>> {
  const outcomes = page.cells.map((cell) => stepOutcomes(study, cell));
  return {
    chains: page.cells.map((cell, index) => chainRow(study, page, cell, outcomes[index] as Outcome[])),
    translations: page.cells.flatMap((cell, index) =>
      (outcomes[index] as Outcome[]).map((outcome, place) => translationRow(study, page, cell, place + 1, outcome)),
    ),
  };
}

/** Outcomes of the steps that were asked, in order. If the reference fails its own tests, no step is asked. */
function stepOutcomes({ settings: { through } }: ChainStudy, cell: CellState): Outcome[] {
  const asked = through.findIndex((_, place) => !cell.answer(translated(place + 1)));
  const steps = asked === -1 ? through.length : asked;
  return Array.from({ length: steps }, (_, place) => outcomeAt(cell, place + 1));
}

/** `not_run` for a step that a rescored run needs but the original run did not ask. */
const outcomeAt = (cell: CellState, step: number): Outcome =>
  cell.answer(translated(step))?.status === 'not_asked' ? 'not_run' : outcomeOf(cell.outcomes(translated(step)));

/** A real failure on any suite takes precedence over an outcome that another suite excludes. */
function outcomeOf(outcomes: readonly SuiteOutcome[] | undefined): Outcome {
  if (outcomes === undefined) return 'no_code';
  const failures = outcomes.map(({ outcome }) => outcome).filter((outcome) => outcome !== 'pass');
  return failures.find((outcome) => !excludedOutcomes.has(outcome)) ?? failures[0] ?? 'pass';
}

function chainRow(study: ChainStudy, page: StudyPage, cell: CellState, outcomes: readonly Outcome[]): Row {
  const steps = study.settings.through.length;
  const failed = outcomes.findIndex((outcome) => outcome !== 'pass');
  const sustained = failed === -1 ? outcomes.length : failed;
  return {
    ...page.key(cell),
    steps,
    sustained_steps: sustained,
    passed_steps: outcomes.filter((outcome) => outcome === 'pass').length,
    ended_by: ending(outcomes),
    ended_language: failed === -1 ? null : taskAt(study, cell, failed + 1).language,
    ended_outcome: outcomes[failed] ?? null,
    simulated: page.simulated,
  };
}

/** An excluded step excludes the cell: the steps after it translated code that was not judged. */
function ending(outcomes: readonly Outcome[]): ChainEnding {
  if (outcomes.length === 0) return 'start_failed';
  if (outcomes.some((outcome) => excludedOutcomes.has(outcome))) return 'excluded';
  const failure = outcomes.find((outcome) => outcome !== 'pass');
  if (failure === undefined) return 'survived';
  return failure === 'no_code' ? 'no_code' : 'code_failed';
}

const translationRow = (study: ChainStudy, page: StudyPage, cell: CellState, step: number, outcome: Outcome): Row => ({
  ...page.key(cell),
  loop: step,
  source_language: taskAt(study, cell, step - 1).language,
  target_language: taskAt(study, cell, step).language,
  outcome,
  simulated: page.simulated,
});
