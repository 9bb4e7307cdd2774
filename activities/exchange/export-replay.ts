/**
 * Writes a run's answers as a replay file: every sample with its coordinates and request, so that the run can be
 * repeated without calls.
 */
import { pagesOf } from '../../studies/plan.ts';
import { InputError } from '../../domain/errors.ts';
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import { plainSha256Of, questionOf, requestOf } from '../calls/call.ts';
import type { PageCell } from '../pages/cell-states.ts';
import { cellsToAsk } from '../pages/page-cells.ts';
import { lineOfReply, selectors, type ReplayLine } from '../providers/replay-line.ts';
import type { Run, RunPage } from '../runs/opened/run.ts';
import type { SampleRecord } from '../storage/ledger/records.ts';

/**
 * Lines in plan order, each ending with a line feed; cells that share an answer share a line.
 * @param answering limits the export to the answers of this model; null exports all
 * @param byPlace true: for a run that is judged again, whose rule may change the text of the request. Answers of the
 *   models under study are identified by their coordinates alone; those of others also by a request that differs from
 *   theirs only by white space that says nothing
 * @throws InputError when two models gave different answers to the same request
 */
export async function* replayLines(run: Run, answering: string | null, byPlace = false): AsyncGenerator<string> {
  const written = new Map<string, string>();
  for (const { page } of pagesOf(run.revisions)) {
    for await (const line of pageLines(run.page(page.page), answering, byPlace)) {
      const place = sha256(canonicalJson(selectors.map((selector) => line[selector])));
      const text = JSON.stringify(line);
      const hash = sha256(text);
      const earlier = written.get(place);
      if (earlier !== undefined && earlier !== hash) throw new InputError(twoAnswers(line), { field: '--model' });
      written.set(place, hash);
      if (earlier === undefined) yield `${text}\n`;
    }
  }
}

const twoAnswers = ({ study, step, task_id: task, loop }: ReplayLine): string =>
  `two models gave different answers to the same request (study ${study}, ${step} of ${task}, loop ${loop}); ` +
  'export them one by one with --model ID';

async function* pageLines(page: RunPage, answering: string | null, byPlace: boolean): AsyncGenerator<ReplayLine> {
  const samples = await page.run.ledger.samples(page.page);
  const cells = await cellsToAsk(page, samples);
  for (const sample of samples) {
    const line = lineOf(page, cells[sample.key.cell] as PageCell, sample, answering, byPlace);
    if (line !== null) yield line;
  }
}

/** Null for an answer of another model than the selected one. */
function lineOf(
  page: RunPage,
  cell: PageCell,
  { key, reply }: SampleRecord,
  answering: string | null,
  byPlace: boolean,
): ReplayLine | null {
  if (reply.notAsked === true) return null;
  const { step, loop, ask } = key;
  const question = questionOf(page, cell, key);
  const sample = question.sample ?? key.sample;
  const model = page.run.model(question.asked === 'study' ? page.model : question.asked.model);
  if (answering !== null && model.id !== answering) return null;
  const { study, benchmark, taskId, language, variant, setting, repetition } = page.coordinates(cell);
  const asked = { model, question };
  const plain = byPlace ? plainSha256Of(asked) : null;
  return {
    ...{ study, benchmark, task_id: taskId, language, step, loop, variant, setting, repetition, ask, sample },
    ...(byPlace && question.asked === 'study' ? {} : { request_sha256: sha256(canonicalJson(requestOf(asked))) }),
    ...(plain !== null && { plain_sha256: plain }),
    ...lineOfReply(reply),
    ...(model.simulated && { simulated: true }),
    ...(reply.extracted === true && { extracted: true }),
    ...(reply.recorded !== undefined && { recorded: [...reply.recorded] }),
  };
}
