/** Groups draws of a question that one request can ask for. */
import { canonicalJson } from '../../domain/ids.ts';
import type { At } from '../../studies/cell-state.ts';
import { type Draws, questionAt, requestOf } from './call.ts';
import type { PageCell } from '../pages/cell-states.ts';
import type { RunPage } from '../runs/opened/run.ts';
import { mostAnswers } from './single-answers.ts';

/**
 * Draws share a request if they are consecutive, not answered yet, and differ only in their number; a study that sends
 * a seed with each draw gets one request each. No request asks for more answers than its model allows.
 * @param draws of one step, loop and ask, ascending
 */
export async function sharedRequests(page: RunPage, cell: PageCell, draws: readonly At[]): Promise<Draws[]> {
  const alone = draws.map((at): Draws => [at]);
  const [first] = draws;
  if (first === undefined || draws.length === 1) return alone;
  const most = await mostAnswers(page.run.ledger, questionAt(page, cell, first).model);
  if (most === 1) return alone;
  const groups: { readonly asked: string | null; readonly draws: [At, ...At[]] }[] = [];
  for (const at of draws) {
    const asked = cell.answer(at) === undefined ? requestText(page, cell, at) : null;
    const last = groups.at(-1);
    const joins =
      asked !== null &&
      asked === last?.asked &&
      last.draws.length < most &&
      last.draws.at(-1)?.sample === at.sample - 1;
    if (joins) last.draws.push(at);
    else groups.push({ asked, draws: [at] });
  }
  return groups.map((group) => group.draws);
}

function requestText(page: RunPage, cell: PageCell, at: At): string {
  const put = questionAt(page, cell, at);
  return canonicalJson([put.model.id, requestOf(put)]);
}
