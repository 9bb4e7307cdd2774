/** Combines a page's cells with their answers and verdicts, for a study's pure code: nothing here reads the ledger. */
import { replyStatusOf } from '../../domain/reply-status.ts';
import type { Cell } from '../../schemas/plan.ts';
import { excludedReplies } from '../../schemas/states.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { Answer, At, CellState, Extracted, SuiteOutcome } from '../../studies/cell-state.ts';
import { executionKey } from '../judging/execution-key.ts';
import type { RunPage } from '../runs/opened/run.ts';
import type { VerdictRecord } from '../storage/ledger/records.ts';

export interface PageCell extends CellState {
  readonly index: number;
  /** The task whose tests judge the program made at `at`. */
  taskAt(at: At): Task;
  /** What the answer at `at` gives; undefined without an answer, and where the question asks for no code. */
  extracted(at: At): Extracted | undefined;
  /** Execution keys of the program made at `at`, one per suite of its task; none if there is no program. */
  executionKeys(at: At): readonly string[];
  /**
   * Verdicts on the program made at `at`, one per suite of its task. Throws if one is missing,
   * since the page is then incomplete.
   */
  verdicts(at: At): readonly VerdictRecord[];
}

/** What a cell is made of besides its place in the plan. */
export interface CellSources {
  replyAt(index: number, at: At): ChatReply | undefined;
  /** Throws if no verdicts were read with the answers. */
  verdict(executionKey: string): VerdictRecord | undefined;
  /** Whether the task's reference gives the suite no output to compare with; unknown where no verdicts were read. */
  isWithoutReference?(task: Task, suite: Suite): boolean;
  cell(index: number): PageCell;
}

export function pageCell(page: RunPage, index: number, sources: CellSources): PageCell {
  const cell = page.cells[index];
  if (!cell) throw new Error(`page ${page.page} has no cell ${index}`);
  const state: PageCell = {
    index,
    cell,
    task: page.task(cell.taskId),
    variant: page.variant(cell),
    answer: ({ step, loop, ask, sample }) => answerOf(sources.replyAt(index, { step, loop, ask, sample })),
    outcomes: (at) => outcomesOf(state, at, sources),
    sibling: (variant) => sources.cell(siblingOf(page, cell, variant)),
    taskIn: (benchmark) => page.taskIn(benchmark, cell.taskId),
    taskAt: (at) => page.kind.taskAt?.(page.study, state, at) ?? state.task,
    extracted: remembered((at) => {
      const answer = state.answer(at);
      return answer && page.kind.extract(page.study, state, at, answer);
    }),
    executionKeys: remembered((at) => keysOf(page, state, at)),
    verdicts: (at) => verdictsOf(page, state, at, sources),
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

const answerOf = (reply: ChatReply | undefined): Answer | undefined => reply && { reply, status: replyStatusOf(reply) };

/** A page's answers do not change, but one that is missing may come. */
function remembered<T>(find: (at: At) => T): (at: At) => T {
  const found = new Map<string, T>();
  return (at) => {
    const key = `${at.step}/${at.loop}/${at.ask}/${at.sample}`;
    const known = found.get(key) ?? find(at);
    if (known !== undefined) found.set(key, known);
    return known;
  };
}

function keysOf(page: RunPage, state: PageCell, at: At): string[] {
  const code = state.extracted(at)?.code ?? null;
  if (code === null) return [];
  const task = state.taskAt(at);
  return task.suites.map((suite) => executionKey(page.run.sandbox, task, suite, code));
}

const verdictsOf = (page: RunPage, state: PageCell, at: At, sources: CellSources): VerdictRecord[] =>
  state.executionKeys(at).map((key, place) => {
    const verdict = sources.verdict(key);
    if (verdict) return verdict;
    const { taskId, suites } = state.taskAt(at);
    throw new Error(
      `page ${page.page}: a program of ${taskId} was not judged on suite ${suites[place]?.name}; the page is not ` +
        'complete',
    );
  });

/**
 * Undefined if the answer has no code. `not_run`: a reply that evenkeel excludes says nothing about the model's code,
 * and a suite without a reference's output judges no answer, with or without code.
 */
function outcomesOf(state: PageCell, at: At, sources: CellSources): readonly SuiteOutcome[] | undefined {
  const extracted = state.extracted(at);
  if (extracted === undefined) return undefined;
  const task = state.taskAt(at);
  const answer = state.answer(at);
  if (answer && excludedReplies.has(answer.status))
    return task.suites.map(({ name }) => ({ suite: name, outcome: 'not_run' }));
  if (extracted.code) return state.verdicts(at).map(({ suite, outcome }) => ({ suite, outcome }));
  const isUnjudged = (suite: Suite): boolean => sources.isWithoutReference?.(task, suite) === true;
  if (!task.suites.some(isUnjudged)) return undefined;
  return task.suites.map((suite) => ({ suite: suite.name, outcome: isUnjudged(suite) ? 'not_run' : 'no_code' }));
}
