/** Judges a reply as if it were the answer at some place of a run. Nothing of the run is changed. */
import { InputError } from '../../domain/errors.ts';
import { replyStatusOf } from '../../domain/reply-status.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { Cell } from '../../schemas/plan.ts';
import type { ReplyStatus } from '../../schemas/states.ts';
import type { At } from '../../studies/cell-state.ts';
import { pagesOf } from '../../studies/plan.ts';
import type { PageCell } from '../pages/cell-states.ts';
import { cellsWith } from '../pages/page-cells.ts';
import type { Run, RunPage } from '../runs/opened/run.ts';
import type { VerdictRecord } from '../storage/ledger/records.ts';
import { apartFrom } from './apart-from.ts';
import type { JudgeProgram } from './judge-program.ts';

/** Where an answer stands in a run. */
export interface AnswerPlace {
  readonly study: string;
  readonly model: string;
  readonly cell: Cell;
  readonly at: At;
}

export interface JudgedAgain {
  readonly status: ReplyStatus;
  /** How the code was found, and by which rule. */
  readonly extraction: string;
  readonly rule: string;
  readonly code: string | null;
  /** One per suite; empty without code. */
  readonly verdicts: readonly VerdictRecord[];
}

/** Throws InputError if the question at that place asks for no code. */
export async function judgeAgain(
  run: Run,
  place: AnswerPlace,
  reply: ChatReply,
  judge: JudgeProgram,
  signal: AbortSignal,
): Promise<JudgedAgain> {
  const { page, cell } = await cellAt(run, place);
  const status = replyStatusOf(reply);
  const extracted = page.kind.extract(page.study, cell, place.at, { reply, status });
  if (extracted === undefined) throw new InputError(`step ${place.at.step} asks for no code, so nothing can be judged`);
  const { code, how: extraction, rule } = extracted;
  if (code === null) return { status, extraction, rule, code, verdicts: [] };
  const task = cell.taskAt(place.at);
  const verdicts = await Promise.all(
    task.suites.map((suite) => judge(apartFrom(run, task, suite), task, suite, code, signal)),
  );
  return { status, extraction, rule, code, verdicts };
}

async function cellAt(run: Run, { study, model, cell }: AnswerPlace): Promise<{ page: RunPage; cell: PageCell }> {
  for (const { page } of pagesOf(run.revisions)) {
    if (page.study !== study || page.model !== model) continue;
    const index = page.cells.findIndex((one) => isSame(one, cell));
    if (index === -1) continue;
    const opened = run.page(page.page);
    const cells = await cellsWith(opened, await run.ledger.samples(page.page));
    return { page: opened, cell: cells[index] as PageCell };
  }
  throw new Error(`run ${run.runId} has no cell ${JSON.stringify(cell)} of study ${study} and model ${model}`);
}

const isSame = (one: Cell, other: Cell): boolean =>
  one.taskId === other.taskId &&
  one.language === other.language &&
  one.variant === other.variant &&
  one.setting === other.setting &&
  one.repetition === other.repetition;
