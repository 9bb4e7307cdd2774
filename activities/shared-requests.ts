/** Which draws of a question one request may ask for. */
import { canonicalJson } from '../domain/ids.ts';
import type { At } from '../studies/study.ts';
import { type Draws, questionAt, requestOf } from './call.ts';
import type { PageCell } from './cell-states.ts';
import type { RunPage } from './runs.ts';
import { mostAnswers } from './single-answers.ts';

/**
 * Draws that share a request follow one another, are not answered yet, and differ in nothing but their number: a study that sends a seed to
 * each has each asked for alone. No request is for more than its model may be asked for.
 * @param draws of one step, loop and ask, ascending
 */
export function sharedRequests(page: RunPage, cell: PageCell, draws: readonly At[]): Draws[] {
  const alone = draws.map((at): Draws => [at]);
  const [first] = draws;
  if (first === undefined || draws.length === 1) return alone;
  const most = mostAnswers(page.run.ledger, questionAt(page, cell, first).model);
  if (most === 1) return alone;
  const groups: { readonly asked: string | null; readonly draws: [At, ...At[]] }[] = [];
  for (const at of draws) {
    const asked = cell.answer(at) === undefined ? requestText(page, cell, at) : null;
    const last = groups.at(-1);
    const joins = asked !== null && asked === last?.asked && last.draws.length < most && last.draws.at(-1)?.sample === at.sample - 1;
    if (joins) last.draws.push(at);
    else groups.push({ asked, draws: [at] });
  }
  return groups.map((group) => group.draws);
}

function requestText(page: RunPage, cell: PageCell, at: At): string {
  const put = questionAt(page, cell, at);
  return canonicalJson([put.model.id, requestOf(put)]);
}
