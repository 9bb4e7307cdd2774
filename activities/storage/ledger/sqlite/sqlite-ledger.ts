/** Implements the ledger on one SQLite file: which requests share a transaction, and what each transaction contains. */
import { isSuperseded } from '../../../../domain/part-paths.ts';
import type { BatchBook, RunLedger } from '../batch-book.ts';
import { batchBook } from './batches/batches.ts';
import { commitReplies, failCall, findReply, releaseCall } from './call-book.ts';
import { runStop, setBudget, setStop, stopOf } from './control.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { loseOpenIntents } from './intents.ts';
import { createKnownRecords } from './known-records.ts';
import { openDatabase } from './ledger-database.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';
import { FencedError } from '../ledger.ts';
import type { Fence, Ledger, ReferenceRecord, VerdictRecord } from '../ledger.ts';
import { callsOf, hasSamples, sampleAt, samplesOf } from './page-records.ts';
import {
  addPages,
  failPage,
  lastAttempt,
  markCellsDone,
  openLanes,
  openPages,
  pageRow,
  raiseAttempt,
  reopenFailedPages,
} from './plan-pages.ts';
import { callsNow, latestFailures, progressOf } from './progress.ts';
import { reserve } from './reservation.ts';
import { createRecentSamples } from './recent-samples.ts';
import { factsUnder, findFact, findReference, findVerdict, saveFact, saveReference, saveVerdict } from './results.ts';
import { answeredSteps, medianLatencyMs } from './sums/answered-steps.ts';
import { answeredModels, meanThoughts, spendByLane } from './sums/lane-spend.ts';
import { packReply } from '../bodies/stored-reply.ts';
import { exchangeParts, forgetSpent, spentParts } from './parts/merged-parts.ts';
import { allParts, hasPart, singleParts } from './parts/part-rows.ts';
import { replaceParts, sealPage } from './parts/sealed-parts.ts';
import { loadTotals } from './totals.ts';
import type { Totals } from './totals.ts';

/** Cache sizes for verdicts and reference runs, in characters. */
const verdictRoom = 2 * 1024 * 1024;
const referenceRoom = 8 * 1024 * 1024;
/** Estimated size: `detail` is the only text of unlimited length. */
const verdictSize = ({ detail }: VerdictRecord): number => 600 + (detail?.length ?? 0);
const referenceSize = ({ outputs, caseMs }: ReferenceRecord): number =>
  outputs.reduce((sum, output) => sum + (output?.length ?? 0), 8 * (outputs.length + caseMs.length));

/**
 * Opens a run's ledger; creates the file if it is missing and there is no manifest next to it. Any number of processes
 * on one host may have it open. Throws on a network file system and for another format.
 */
export function openLedger(path: string): RunLedger {
  return ledgerOn(openDatabase(path));
}

/** What can be asked of a ledger that is opened for looks only. */
export type LedgerLook = Pick<
  Ledger,
  'progress' | 'latestFailures' | 'callsNow' | 'facts' | 'reference' | 'pageState' | 'close'
>;

/**
 * Opens a run's ledger for looks that change no file. Close it before another process begins to work on the run: a
 * ledger that nobody had open is read as if it never changed.
 */
export function openLedgerToLook(path: string): LedgerLook {
  return ledgerOn(openDatabase(path, 'look'));
}

function ledgerOn(db: LedgerDatabase): RunLedger {
  const commits = createGroupCommit(db);
  const { request, flush } = commits;
  const recent = createRecentSamples();
  const verdicts = createKnownRecords((key) => findVerdict(db, key), verdictRoom, verdictSize);
  const references = createKnownRecords((key) => findReference(db, key), referenceRoom, referenceSize);
  return {
    takeOver: (owner) => db.immediate((totals) => takeOver(db, totals, owner)),
    currentEpoch: () => loadTotals(db.sql).epoch,

    ...planOf(db),
    markCellsDone: (page, cellsDone) => request(() => markCellsDone(db, page, cellsDone)),

    // Others see it at once. The attempt's writes come after it in the sequential log, so none of them is durable
    // without it.
    openUnit: (unit, epoch, attempt) => db.unsynced((totals) => openUnit(db, totals, unit, epoch, attempt)),
    ...callRequests(db, commits, recent),

    reply: (callKey) => findReply(db, callKey),
    sample: (key) => recent.get(key) ?? sampleAt(db, key),
    hasSamples: (place) => hasSamples(db, place),
    samples: (page) => samplesOf(db, page),
    calls: (page) => callsOf(db, page),
    answeredModels: () => answeredModels(db),
    spendByLane: () => spendByLane(db),
    answeredSteps: () => answeredSteps(db),
    meanThoughts: (study, model) => meanThoughts(db, study, model),
    medianLatencyMs: (model) => medianLatencyMs(db, model),

    verdict: (executionKey) => verdicts.get(executionKey),
    async saveVerdict(verdict) {
      const winner = await request((totals) => saveVerdict(db, totals, verdict));
      return verdicts.put(winner.executionKey, winner);
    },
    reference: references.get,
    saveReference: (reference) => request(() => saveReference(db, reference)),
    fact: (name) => findFact(db, name),
    saveFact: (name, json) => request(() => saveFact(db, name, json)),
    facts: (prefix) => factsUnder(db, prefix),

    ...partChanges(db),
    exclusively: (work) => db.immediate(work),

    runStop: () => runStop(db),
    setStop: (model, reason, detail) => db.immediate(() => setStop(db, model, reason, detail)),
    stopOf: (model) => stopOf(db, model),
    setBudget: (budget) => db.immediate((totals) => setBudget(totals, budget)),

    progress: () => db.snapshot(() => progressOf(db)),
    latestFailures: (most) => latestFailures(db, most),
    callsNow: () => callsNow(db),
    close() {
      flush();
      db.close();
    },
  };
}

/** A call from its reservation to its end. */
const callRequests = (
  db: LedgerDatabase,
  commits: GroupCommit,
  recent: ReturnType<typeof createRecentSamples>,
): Pick<Ledger, 'reserve' | 'commit' | 'release' | 'fail'> & BatchBook => ({
  ...batchBook(db, commits),
  reserve: (fence, call) => commits.request((totals) => reserve(db, totals, fence, call)),
  async commit(intent, replies, charge, latencyMs, origin = null) {
    const packed = replies.map((reply) => ({ reply, stored: packReply(reply) }));
    const { first, winners } = await commits.request((totals) =>
      commitReplies(db, totals, { intent, replies: packed, charge, latencyMs, origin }),
    );
    recent.put(first, winners);
    return winners;
  },
  release: (intent, why) => commits.request((totals) => releaseCall(db, totals, intent, why)),
  fail: (intent, failure, charge, latencyMs) =>
    commits.request((totals) => failCall(db, totals, { intent, latencyMs }, failure, charge)),
});

type Plan = Pick<Ledger, 'addPages' | 'pageState' | 'openLanes' | 'openPages' | 'failPage' | 'reopenFailedPages'>;

const planOf = (db: LedgerDatabase): Plan => ({
  addPages: (pages) => db.immediate(() => addPages(db, pages)),
  pageState: (page) => pageRow(db, page).state,
  openLanes: () => openLanes(db),
  openPages: (lane, after, limit) => openPages(db, lane, after, limit),
  failPage: (page, reason) => db.immediate(() => failPage(db, page, reason)),
  reopenFailedPages: () => db.immediate(() => reopenFailedPages(db)),
});

type PartChanges = Pick<
  Ledger,
  | ('sealPage' | 'replaceParts' | 'exchangeParts' | 'spentParts' | 'forgetSpent')
  | ('parts' | 'singleParts' | 'hasPart' | 'supersededParts')
>;

const partChanges = (db: LedgerDatabase): PartChanges => ({
  sealPage: (fence, page, parts) => db.immediate((totals) => sealPage(db, totals, fence, page, parts)),
  replaceParts: (parts) => db.immediate(() => replaceParts(db, parts)),
  exchangeParts: (spent, parts) => db.immediate(() => exchangeParts(db, spent, parts)),
  spentParts: () => spentParts(db),
  forgetSpent: (paths) => db.immediate(() => forgetSpent(db, paths)),
  parts: () => allParts(db).filter(({ path }) => !isSuperseded(path)),
  singleParts: (page) => singleParts(db, page),
  hasPart: (path) => hasPart(db, path),
  supersededParts: () => allParts(db).filter(({ path }) => isSuperseded(path)),
});

/**
 * Marks open intents of older owners as lost: their processes may be dead, and otherwise they are fenced from now on.
 */
function takeOver(db: LedgerDatabase, totals: Totals, owner: string): number {
  totals.epoch += 1;
  totals.owner = owner;
  loseOpenIntents(db, totals, 'all');
  return totals.epoch;
}

function openUnit(db: LedgerDatabase, totals: Totals, unit: string, epoch: number, attempt: number | undefined): Fence {
  if (epoch !== totals.epoch)
    throw new FencedError(`${unit} cannot open under epoch ${epoch}: the run is at epoch ${totals.epoch}`);
  const last = lastAttempt(db, unit, epoch);
  const next = attempt ?? last + 1;
  if (next <= last) throw new FencedError(`${unit} cannot open for attempt ${next}: attempt ${last} is active`);
  loseOpenIntents(db, totals, raiseAttempt(db, unit, epoch, next));
  return { unit, epoch, attempt: next };
}
