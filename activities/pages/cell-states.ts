/** Combines a page's cells with their answers and verdicts from the ledger, for a study's pure code. */
import { replyStatusOf } from '../../domain/reply-status.ts';
import type { Cell } from '../../schemas/plan.ts';
import { excludedReplies } from '../../schemas/states.ts';
import type { Task } from '../../schemas/task.ts';
import type { Answer, At, CellState, SuiteOutcome } from '../../studies/cell-state.ts';
import { executionKey } from '../judging/execution-key.ts';
import type { RunPage } from '../runs/runs.ts';
import type { SampleRecord, VerdictRecord } from '../storage/ledger/ledger.ts';

export interface PageCell extends CellState {
  readonly index: number;
  /** The task whose tests judge the program made at `at`. */
  taskAt(at: At): Task;
  /**
   * Verdicts on a program made at `at`, one per suite of its task. Throws if one is missing,
   * since the page is then incomplete.
   */
  verdicts(at: At, code: string): readonly VerdictRecord[];
}

const atKey = (at: At): string => `${at.step}/${at.loop}/${at.ask}/${at.sample}`;

/** A cell that reads its answers from the ledger on demand: a step needs few of them, and sees new ones at once. */
export const openCell = (page: RunPage, index: number): PageCell =>
  pageCell(
    page,
    index,
    (at) => page.run.ledger.sample({ page: page.page, cell: index, ...at }),
    (other) => openCell(page, other),
  );

/** All cells of a page, from all its samples read at once. */
export function cellsWith(page: RunPage, samples: readonly SampleRecord[]): PageCell[] {
  const byPlace = new Map(samples.map((sample) => [`${sample.key.cell}/${atKey(sample.key)}`, sample]));
  const cells = page.cells.map((_, index) =>
    pageCell(page, index, (at) => byPlace.get(`${index}/${atKey(at)}`), cellAt),
  );
  function cellAt(index: number): PageCell {
    return cells[index] as PageCell;
  }
  return cells;
}

function pageCell(
  page: RunPage,
  index: number,
  sampleAt: (at: At) => SampleRecord | undefined,
  cellAt: (index: number) => PageCell,
): PageCell {
  const cell = page.cells[index];
  if (!cell) throw new Error(`page ${page.page} has no cell ${index}`);
  const state: PageCell = {
    index,
    cell,
    task: page.task(cell.taskId),
    variant: page.variant(cell),
    answer: ({ step, loop, ask, sample }) => answerOf(sampleAt({ step, loop, ask, sample })),
    outcomes: (at) => outcomesOf(page, state, at),
    sibling: (variant) => cellAt(siblingOf(page, cell, variant)),
    taskIn: (benchmark) => page.taskIn(benchmark, cell.taskId),
    taskAt: (at) => page.kind.taskAt?.(page.study, state, at) ?? state.task,
    verdicts: remembered((at, code) => verdictsOf(page, state.taskAt(at), code)),
  };
  return state;
}

function siblingOf({ page, cells }: RunPage, { taskId, setting, repetition }: Cell, variant: string): number {
  const index = cells.findIndex(
    (other) =>
      other.taskId === taskId &&
      other.variant === variant &&
      other.setting === setting &&
      other.repetition === repetition,
  );
  if (index === -1) throw new Error(`page ${page} has no cell of ${taskId} for ${variant}`);
  return index;
}

function answerOf(sample: SampleRecord | undefined): Answer | undefined {
  return sample && { reply: sample.reply, status: replyStatusOf(sample.reply) };
}

function remembered<T>(find: (at: At, code: string) => T): (at: At, code: string) => T {
  const found = new Map<string, T>();
  return (at, code) => {
    const key = `${atKey(at)}/${code}`;
    const known = found.get(key) ?? find(at, code);
    found.set(key, known);
    return known;
  };
}

const verdictsOf = ({ page, run }: RunPage, task: Task, code: string): VerdictRecord[] =>
  task.suites.map((suite) => {
    const verdict = run.ledger.verdict(executionKey(run.sandbox, task, suite, code));
    if (verdict) return verdict;
    throw new Error(
      `page ${page}: a program of ${task.taskId} was not judged on suite ${suite.name}; the page is not complete`,
    );
  });

/**
 * Undefined if the answer has no code. A reply that evenkeel excludes says nothing about the model's code: `not_run`.
 */
function outcomesOf(page: RunPage, state: PageCell, at: At): readonly SuiteOutcome[] | undefined {
  const answer = state.answer(at);
  const extracted = answer && page.kind.extract(page.study, state, at, answer);
  if (extracted && excludedReplies.has(answer.status))
    return state.taskAt(at).suites.map(({ name }) => ({ suite: name, outcome: 'not_run' }));
  const code = extracted?.code;
  return code ? state.verdicts(at, code).map(({ suite, outcome }) => ({ suite, outcome })) : undefined;
}
