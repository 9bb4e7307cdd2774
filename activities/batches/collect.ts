/**
 * Reads the results of a batch into the ledger, line by line. A line whose result is stored is not touched again, so
 * reading may be interrupted and repeated at any point.
 */
import { callFor, chargeOf, faultCharge, faultChargeOf, questionAt } from '../calls/call.ts';
import type { AskedModel } from '../calls/asked-model.ts';
import { noteOverrun } from '../calls/overruns.ts';
import { failureText } from '../calls/attempts/failure-text.ts';
import type { RequestBounds } from '../calls/token-usage.ts';
import { plausibleReplies } from '../calls/plausible-replies.ts';
import { type StepCells, stepCellsOf } from '../pages/page-cells.ts';
import type { EndpointBatch, LineResult } from '../providers/batches/batch-endpoint.ts';
import { ProviderFault } from '../providers/provider.ts';
import { noteFinalFailure } from '../calls/attempts/final-failure.ts';
import { otherVersion } from '../calls/attempts/version-stops.ts';
import type { BatchEnd, BatchLine, BatchRecord } from '../storage/ledger/batch-book.ts';
import { changed, moment, release, stopAfter, stopModel, type TendedModel } from './tended-run.ts';

/** Files that are not whole are read this often. */
const mostReads = 3;
/** Files that leave lines out, though nothing else speaks against them. */
const readsOfLeftOut = 2;
/** Lines stored at the same time, in one transaction. */
const together = 200;

/** @param seen the ended batch; null if the endpoint no longer knows it */
export async function collect(tended: TendedModel, batch: BatchRecord, seen: EndpointBatch | null): Promise<void> {
  const found = await readFiles(tended, batch, [seen?.outputFile ?? null, seen?.errorFile ?? null]);
  const isMissing = seen !== null && (await tended.run.ledger.batchLines(batch.id, 0, 1)).length > 0;
  const isLost = isMissing && isDamaged(seen, found);
  const reads = isLost ? mostReads : isMissing ? readsOfLeftOut : 1;
  if (batch.shortReads + 1 < reads) {
    await changed(tended, batch, { shortReads: batch.shortReads + 1 });
    return;
  }
  const isUndone = seen?.state === 'expired' ? !isLost : seen?.state === 'cancelled' && !found.isCut;
  if (isUndone) await release(tended, batch);
  else await failLeft(tended, batch, seen === null ? 'unknown' : isLost ? 'lost' : 'left out');
  const isUntried = seen?.state === 'expired' && !isLost && found.tried === 0;
  if (isUntried && tended.model.asksInBatches) await stopUnanswered(tended, batch);
  await changed(tended, batch, { answered: 0, endReason: endOf(seen) });
}

/**
 * Whether results that the endpoint had may be missing. Its counts may be silent: null, or 0 at the end. In a completed
 * batch each line was tried, so one that cannot be read may be a missing one.
 */
const isDamaged = ({ state, answered, failed }: EndpointBatch, { read, unreadable, isCut }: ReadLines): boolean =>
  isCut || read < answered + failed || (state === 'completed' && (unreadable > 0 || read === 0));

/** Other batches would wait for as long and bring nothing. */
const stopUnanswered = (tended: TendedModel, { requests }: BatchRecord): Promise<void> =>
  stopModel(
    tended,
    `a batch of ${requests} requests expired at the endpoint without an answer, and nothing was charged. Resume to ` +
      'ask in batches again, or remove mode: batch, which asks by calls, at the full price, and resume',
    { of: 'model', path: ['mode'] },
  );

const endOf = (seen: EndpointBatch | null): BatchEnd =>
  seen === null ? 'gone' : seen.state === 'expired' || seen.state === 'cancelled' ? seen.state : 'completed';

interface ReadLines {
  readonly read: number;
  /** Those of requests that the endpoint answered or failed to. */
  readonly tried: number;
  readonly unreadable: number;
  /** Whether a file ends with an unreadable line. */
  readonly isCut: boolean;
}

/** A broken connection throws; what was read until then is stored. */
async function readFiles(
  tended: TendedModel,
  batch: BatchRecord,
  files: readonly (string | null)[],
): Promise<ReadLines> {
  let [read, tried, unreadable, isCut] = [0, 0, 0, false];
  for (const file of files) {
    if (file === null) continue;
    let storing: Promise<void>[] = [];
    let undone: number[] = [];
    let cellsOf = stepCellsOf(tended.run);
    let isLastUnreadable = false;
    for await (const result of tended.endpoint.results(file, tended.signal)) {
      isLastUnreadable = result === 'unreadable';
      if (result === 'unreadable') unreadable += 1;
      if (result === undefined || result === 'unreadable') continue;
      read += 1;
      if (result.kind !== 'undone') tried += 1;
      const line = await tended.run.ledger.batchLine(batch.id, result.customId);
      if (line === undefined) continue;
      if (result.kind === 'undone') undone.push(line.intent);
      else storing.push(store(tended, line, result, cellsOf));
      if (storing.length + undone.length < together) continue;
      await Promise.all([...storing, release(tended, batch, undone)]);
      [storing, undone, cellsOf] = [[], [], stepCellsOf(tended.run)];
    }
    await Promise.all([...storing, release(tended, batch, undone)]);
    isCut ||= isLastUnreadable;
  }
  return { read, tried, unreadable, isCut };
}

type CellsOf = (page: string) => Promise<StepCells>;

async function store(
  tended: TendedModel,
  line: BatchLine,
  result: Exclude<LineResult, { kind: 'undone' }>,
  cellsOf: CellsOf,
): Promise<void> {
  if (result.kind === 'failed') {
    const { bill, reason } = result;
    const fault = { maybeBilled: bill !== undefined, usage: bill?.usage ?? null };
    return failWith(tended, line, reason, fault, cellsOf);
  }
  try {
    await accept(tended, line, result, cellsOf);
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    await failWith(tended, line, failureText(error), error, cellsOf);
  }
}

async function accept(
  tended: TendedModel,
  line: BatchLine,
  result: LineResult & { readonly kind: 'answered' },
  cellsOf: CellsOf,
): Promise<void> {
  const { run, model, endpoint } = tended;
  const bounds = await boundsOf(tended, line, cellsOf);
  const replies = plausibleReplies(endpoint.repliesOf(result, line.callKeys.length), bounds);
  const [counted] = replies;
  if (counted === undefined) throw new Error(`the endpoint of ${model.id} returned no reply and no fault`);
  const charge = chargeOf(asBatched(model), counted, line, new Date());
  const change = await run.versions(model.id, counted);
  if (change !== null && model.strictVersion) {
    const failure = `another version answers: ${change.now}`;
    await run.ledger.fail(line.intent, failure, charge, 0);
    await noteFinalFailure(run.ledger, failure);
    await stopAfter(tended, otherVersion(change, ' in a batch'));
    return;
  }
  await Promise.all([
    run.reasoners.note(model.id, counted),
    noteOverrun(run.ledger, { answeringModel: model.id, maxUsd: line.estimatedUsd }, charge),
    run.noteCutAnswers(model.id, replies),
    run.ledger.commit(line.intent, replies, charge, null),
  ]);
}

async function boundsOf({ run }: TendedModel, { key, callKeys }: BatchLine, cellsOf: CellsOf): Promise<RequestBounds> {
  const page = run.page(key.page);
  const cell = (await cellsOf(key.page)).cell(key.cell);
  const [first = key, ...others] = callKeys.map((_, place) => ({ ...key, sample: key.sample + place }));
  return callFor(page, cell, [first, ...others], questionAt(page, cell, first), { endpointIdentity: '' }).bounds;
}

const asBatched = ({ free, batchPrice }: AskedModel): Pick<AskedModel, 'free' | 'price'> => ({
  free,
  price: batchPrice,
});

const reserved = ({ free }: AskedModel, { estimatedUsd, maxTokens }: BatchLine) => ({ free, estimatedUsd, maxTokens });

/** Its call is then asked by itself. Charged by the usage that it reports. */
async function failWith(
  tended: TendedModel,
  line: BatchLine,
  reason: string,
  fault: Pick<ProviderFault, 'maybeBilled' | 'usage'>,
  cellsOf: CellsOf,
): Promise<void> {
  const { run, model } = tended;
  if (fault.usage === null) return fail(tended, line, reason, fault.maybeBilled);
  const call = {
    reserve: reserved(model, line),
    bounds: await boundsOf(tended, line, cellsOf),
  };
  const charge = faultChargeOf(asBatched(model), fault, call, new Date());
  await noteOverrun(run.ledger, { answeringModel: model.id, maxUsd: line.estimatedUsd }, charge);
  await run.ledger.fail(line.intent, reason, charge, 0);
}

const fail = ({ run, model }: TendedModel, line: BatchLine, reason: string, maybeBilled: boolean): Promise<void> =>
  run.ledger.fail(line.intent, reason, faultCharge({ maybeBilled }, reserved(model, line)), 0);

/** What became of the lines without a result. Only what the endpoint did not answer is certainly not billed. */
const reasons = {
  unknown: { reason: 'batch unknown: the endpoint no longer knows the batch', maybeBilled: true },
  lost: {
    reason: 'cut in a batch: its files are damaged, or have fewer results than the endpoint reports',
    maybeBilled: true,
  },
  'left out': { reason: 'left out of a batch: its files have no result', maybeBilled: false },
} as const;

async function failLeft(tended: TendedModel, batch: BatchRecord, why: keyof typeof reasons): Promise<void> {
  const { reason, maybeBilled } = reasons[why];
  for (;;) {
    const lines = await tended.run.ledger.batchLines(batch.id, 0, together);
    if (lines.length === 0) return;
    await Promise.all(lines.map((line) => fail(tended, line, reason, maybeBilled)));
    await moment();
  }
}
