/** The chain's own tables, read off a page's answers and verdicts: `translations`, one row per step, and `chains`, one per cell. */
import { type ChainEnding, excludedOutcomes, type Outcome } from '../../schemas/states.ts';
import type { Row, TableName } from '../../schemas/tables.ts';
import type { CellState, StudyPage, SuiteOutcome } from '../study.ts';
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

/** Of the steps that were asked, in order; none where the start fails its own tests, since nobody is asked then. */
function stepOutcomes({ settings: { through } }: ChainStudy, cell: CellState): Outcome[] {
  const asked = through.findIndex((_, place) => !cell.answer(translated(place + 1)));
  const steps = asked === -1 ? through.length : asked;
  return Array.from({ length: steps }, (_, place) => outcomeAt(cell, place + 1));
}

/** Of a step that a rescored run cannot know: nobody was asked. */
const outcomeAt = (cell: CellState, step: number): Outcome =>
  cell.answer(translated(step))?.status === 'not_asked' ? 'not_run' : outcomeOf(cell.outcomes(translated(step)));

/** A real failure on any suite counts before a limit of ours on another. */
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

/** A limit of ours anywhere takes the cell out of the count: what came after it was fed by code that nobody judged. */
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
