/**
 * RobuNFR: asks the same problem plainly, with a requirement in many phrasings, and as an improvement of plain code.
 */
import { seedOf } from '../../domain/random.ts';
import type { Cell } from '../../schemas/plan.ts';
import type { Task } from '../../schemas/task.ts';
import type { At, CellState, Question } from '../cell-state.ts';
import type { Study } from '../study.ts';
import type { Condition } from './conditions.ts';
import { robunfrCalls } from './forecast.ts';
import { robunfrPageSteps } from './page.ts';
import { hasProblem, problemOf } from './problem.ts';
import { type WorkflowName, workflowMessages } from './prompt-program.ts';
import { robunfrRows } from './rows.ts';
import { conditionsOf, lastAt, plainAt, programOf, type RobunfrStudy, solutionOf } from './steps.ts';

/** Shared by the three kinds of study, which differ in their conditions and results. */
export const robunfr: Omit<Study<RobunfrStudy>, 'kind'> = {
  workflow: 'robunfr',
  promptVersion: 'robunfr-1',
  roles: () => [],
  pairs: (study) => (study.kind === 'robunfr-regression' ? study.settings.pairs : []),
  lacks,
  cells: (study, tasks) => tasks.flatMap((task) => conditionsOf(study).map((condition) => cellOf(task, condition))),
  settingNames: (study) => [...new Set(conditionsOf(study).map(({ workflow }) => workflow))],
  calls: robunfrCalls,
  question,
  usable: (study, state, _at, answer) => solutionOf(study, state, answer).code !== null,
  extract: (study, state, _at, answer) => solutionOf(study, state, answer),
  measuredAt: (_study, cell) => lastAt(cell),
  timedSuite: ({ settings }) => settings.timedSuite,
  pageSteps: robunfrPageSteps,
  cellTables: ['nfr_scores'],
  answers: {
    phrasing: `coalesce(phrasing, 'original')`,
    counts: 'passed IS NOT NULL',
    // Code that could not be improved is the cell's last answer.
    step: `CASE WHEN failure = 'nothing_to_improve' THEN 'generate' ELSE step END`,
  },
  rows: robunfrRows,
};

function lacks(task: Task, { settings: { timedSuite } }: RobunfrStudy): string | null {
  if (task.language !== 'python') return 'tasks in Python';
  if (timedSuite !== undefined && !task.suites.some(({ name }) => name === timedSuite))
    return `the suite ${timedSuite}, to time programs on`;
  return hasProblem(task) ? null : `a prompt or a reference that defines ${task.entryPoint}`;
}

const cellOf = ({ taskId, language }: Task, { workflow, variant, repetition }: Condition): Cell => ({
  taskId,
  language,
  variant,
  setting: workflow,
  repetition,
});

function question(study: RobunfrStudy, state: CellState, at: At): Question {
  const { cell, task } = state;
  const problem = problemOf(task);
  if (at.step === 'improve') {
    const plain = codeToImprove(study, state);
    return ask(study, state, at, 'nfr-enhanced', { problem, phrasing: phrasingOf(study, cell), code: plain }, plainAt);
  }
  // NFR-Enhanced first asks for plain code, with the same question as Function-Only in the same
  // repetition: it is asked only once.
  if (cell.setting !== 'nfr-integrated') return ask(study, state, at, 'function-only', { problem }, null);
  return ask(study, state, at, 'nfr-integrated', { problem, phrasing: phrasingOf(study, cell) }, null);
}

function ask(
  study: RobunfrStudy,
  { cell }: CellState,
  { step }: At,
  workflow: WorkflowName,
  parts: Parameters<typeof workflowMessages>[2],
  parent: At | null,
): Question {
  const { temperature, topP, maxTokens } = study.settings;
  const asked = workflow === 'function-only' ? 'original' : cell.variant;
  return {
    asked: 'study',
    messages: workflowMessages(programOf(study), workflow, parts),
    parameters: {
      ...(temperature === null ? {} : { temperature }),
      ...(topP === null ? {} : { topP }),
      ...(maxTokens === null ? {} : { maxTokens }),
      ...(temperature ? { seed: seedOf(study.name, cell.taskId, asked, cell.repetition, step) } : {}),
    },
    parent,
  };
}

function codeToImprove(study: RobunfrStudy, state: CellState): string {
  const answer = state.answer(plainAt);
  const plain = answer && solutionOf(study, state, answer).code;
  if (!plain)
    throw new Error(`${state.task.taskId} has no plain code of repetition ${state.cell.repetition} to improve`);
  return plain;
}

/** The phrasing of a cell's variant. Throws for Function-Only, which has none. */
function phrasingOf(study: RobunfrStudy, { variant }: Cell): string {
  const phrasing = conditionsOf(study).find((condition) => condition.variant === variant)?.phrasing;
  if (phrasing == null) throw new Error(`study ${study.name} has no phrasing ${variant}`);
  return phrasing;
}
