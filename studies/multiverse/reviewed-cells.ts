/** The cells of a page as they would be if verdicts were read in another way. */
import type { ChatReply } from '../../schemas/chat.ts';
import { excludedReplies } from '../../schemas/states.ts';
import type { Answer, At, CellState, SuiteOutcome } from '../cell-state.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Study } from '../study.ts';
import { type Review, reviewedOutcome } from './review.ts';

/** Name of the only suite of reviewed verdicts. */
export const countedSuite = 'counted';

const noReply: ChatReply = {
  text: '',
  finishReason: 'other',
  returnedModel: null,
  fingerprint: null,
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  logprobs: null,
  notAsked: true,
};
/** Of a question that another verdict leads to: the run never asked it. */
const neverAsked: Answer = { reply: noReply, status: 'not_asked' };

export interface Reviewing<Cell> {
  readonly study: SpecStudy;
  readonly kind: Study;
  readonly review: Review;
  /** Outcomes to review. Default: those of the cell. */
  outcomesAt?(cell: Cell, at: At): readonly SuiteOutcome[] | undefined;
  /** Called with a cell when its course needs an answer that was never asked for. */
  onNotAsked(cell: Cell): void;
}

export function reviewedCells<Cell extends CellState>(cells: readonly Cell[], reviewing: Reviewing<Cell>): Cell[] {
  const reviewed = new Map<CellState, Cell>();
  const siblingOf = (cell: CellState): CellState => reviewed.get(cell) ?? cell;
  for (const cell of cells) reviewed.set(cell, reviewedCell(cell, reviewing, siblingOf));
  return [...reviewed.values()];
}

function reviewedCell<Cell extends CellState>(
  cell: Cell,
  { study, kind, review, outcomesAt = (one, at) => one.outcomes(at), onNotAsked }: Reviewing<Cell>,
  siblingOf: (cell: CellState) => CellState,
): Cell {
  const reviewed: Cell = {
    ...cell,
    answer: (at) => {
      const found = cell.answer(at) ?? (kind.leadsTo?.(study, reviewed, at) ? neverAsked : undefined);
      if (found?.status === 'not_asked' && at.step !== 'judge') onNotAsked(cell);
      return isLost(found, review) ? { ...found, status: 'empty' } : found;
    },
    outcomes: (at) => {
      if (isLost(cell.answer(at), review)) return undefined;
      const found = outcomesAt(cell, at);
      return found && [{ suite: countedSuite, outcome: reviewedOutcome(found, review) }];
    },
    sibling: (variant) => siblingOf(cell.sibling(variant)),
  };
  return reviewed;
}

/** Whether a reply that evenkeel did not take counts as one without code. */
const isLost = (answer: Answer | undefined, { excluded }: Review): answer is Answer =>
  answer !== undefined && excluded === 'failed' && excludedReplies.has(answer.status);
