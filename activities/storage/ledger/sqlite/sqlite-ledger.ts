/** Implements the ledger on one SQLite file: which requests share a transaction, and what each transaction contains. */
import { isSuperseded } from '../../../../domain/part-paths.ts';
import { packReply } from '../bodies/stored-reply.ts';
import type { CallBook } from '../call-book.ts';
import type { Control } from '../control.ts';
import { type Fence, FencedError } from '../fence.ts';
import type { Ledger, LedgerLook } from '../ledger.ts';
import type { Counts } from '../ledger-counts.ts';
import type { PageReader } from '../page-reader.ts';
import type { PartBook } from '../part-book.ts';
import type { Plan } from '../plan.ts';
import type { ReferenceRecord, VerdictRecord } from '../records.ts';
import type { Results } from '../results.ts';
import { batchBook } from './batches/batches.ts';
import { commitReplies, failCall, findReply, releaseCall } from './call-book.ts';
import { type Change, changesOf } from './change.ts';
import { runStop, setBudget, setStop, stopOf } from './control.ts';
import { createGroupCommit, type GroupCommit } from './group-commit.ts';
import { failedBefore } from './failed-before.ts';
import { loseOpenIntents } from './intents.ts';
import { createKnownRecords } from './known-records.ts';
import { openDatabase } from './ledger-database.ts';
import { withLedgerLock } from './ledger-lock.ts';
import type { LedgerDatabase } from './ledger-transactions.ts';
import { hasSamples, recordsOf, sampleAt, samplesOf } from './page-records.ts';
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
import { makingLanes } from './sums/making-lanes.ts';
import { answeredModels, meanThoughts, reusedByLane, spendByLane } from './sums/lane-spend.ts';
import { exchangeParts, forgetSpent, spentParts } from './parts/merged-parts.ts';
import { allParts, hasPart, singleParts } from './parts/part-rows.ts';
import { replaceParts, sealPage } from './parts/sealed-parts.ts';
import { loadTotals } from './totals.ts';
import type { Totals } from './totals.ts';
import { type WriteGate, writeGate } from './write-gate.ts';

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
export function openLedger(path: string): Ledger {
  return ledgerOn(openDatabase(path), path);
}

/**
 * Opens a run's ledger for looks that change no file. Close it before another process begins to work on the run: a
 * ledger that nobody had open is read as if it never changed.
 */
export function openLedgerToLook(path: string): LedgerLook {
  return ledgerOn(openDatabase(path, 'look'), path);
}

function ledgerOn(db: LedgerDatabase, path: string): Ledger {
  const gate = writeGate(path);
  const change = changesOf(db, gate);
  const commits = createGroupCommit(db, gate);
  const recent = createRecentSamples();
  return {
    ...callBook(db, gate, commits, recent),
    ...batchBook(db, change, commits),
    ...pageReader(db, recent),
    ...resultsOf(db, commits),
    ...planOf(db, change, commits),
    ...controlOf(db, change),
    ...partBook(db, change),
    withManifestLock: (work) => withLedgerLock(path, work),
    ...countsOf(db),
    async close() {
      await commits.flush();
      db.close();
    },
  };
}

/** A call from its reservation to its end. */
const callBook = (
  db: LedgerDatabase,
  gate: WriteGate,
  { request }: GroupCommit,
  recent: ReturnType<typeof createRecentSamples>,
): CallBook => ({
  async openUnit(unit, epoch, attempt) {
    while (gate.held !== undefined) await gate.held;
    // Others see it at once. The attempt's writes come after it in the sequential log, so none of them is durable
    // without it.
    return db.unsynced((totals) => openUnit(db, totals, unit, epoch, attempt));
  },
  reserve: (fence, call) => request((totals) => reserve(db, totals, fence, call)),
  async commit(intent, replies, charge, latencyMs, origin = null) {
    const packed = replies.map((reply) => ({ reply, stored: packReply(reply) }));
    const { first, winners } = await request((totals) =>
      commitReplies(db, totals, { intent, replies: packed, charge, latencyMs, origin }),
    );
    recent.put(first, winners);
    return winners;
  },
  release: (intent, why) => request((totals) => releaseCall(db, totals, intent, why)),
  fail: (intent, failure, charge, latencyMs) =>
    request((totals) => failCall(db, totals, { intent, latencyMs }, failure, charge)),
  failedBefore: async (page, fence) => failedBefore(db, page, fence),
  reply: async (callKey) => findReply(db, callKey),
});

/** Snapshots read on demand: a step needs few of its page's answers. */
const pageReader = (db: LedgerDatabase, recent: ReturnType<typeof createRecentSamples>): PageReader => ({
  load: async (page) => ({
    sample(place) {
      const key = { page, ...place };
      return recent.get(key) ?? sampleAt(db, key);
    },
    hasSamples: (place) => hasSamples(db, { page, ...place }),
  }),
  samples: async (page) => samplesOf(db, page),
  records: async (page) => db.snapshot(() => recordsOf(db, page)),
});

function resultsOf(db: LedgerDatabase, { request }: GroupCommit): Results {
  const verdicts = createKnownRecords((key) => findVerdict(db, key), verdictRoom, verdictSize);
  const references = createKnownRecords((key) => findReference(db, key), referenceRoom, referenceSize);
  return {
    verdict: async (executionKey) => verdicts.get(executionKey),
    verdicts: async (keys) => foundBy(keys, verdicts.get),
    async saveVerdict(verdict) {
      const winner = await request((totals) => saveVerdict(db, totals, verdict));
      return verdicts.put(winner.executionKey, winner);
    },
    reference: async (key) => references.get(key),
    references: async (keys) => foundBy(keys, references.get),
    saveReference: (reference) => request(() => saveReference(db, reference)),
    fact: async (name) => findFact(db, name),
    factsNamed: async (names) => foundBy(names, (name) => findFact(db, name)),
    facts: async (prefix) => factsUnder(db, prefix),
    saveFact: (name, json) => request(() => saveFact(db, name, json)),
  };
}

function foundBy<V>(keys: Iterable<string>, find: (key: string) => V | undefined): ReadonlyMap<string, V> {
  const found = new Map<string, V>();
  for (const key of keys) {
    const value = find(key);
    if (value !== undefined) found.set(key, value);
  }
  return found;
}

const planOf = (db: LedgerDatabase, change: Change, { request }: GroupCommit): Plan => ({
  addPages: (pages) => change(() => addPages(db, pages)),
  pageState: async (page) => pageRow(db, page).state,
  pageStates: async (pages) => foundBy(pages, (page) => pageRow(db, page).state),
  openLanes: async () => openLanes(db),
  openPages: async (lane, after, limit) => openPages(db, lane, after, limit),
  failPage: (page, reason) => change(() => failPage(db, page, reason)),
  reopenFailedPages: () => change(() => reopenFailedPages(db)),
  markCellsDone: (page, cellsDone) => request(() => markCellsDone(db, page, cellsDone)),
});

const controlOf = (db: LedgerDatabase, change: Change): Control => ({
  takeOver: (owner) => change((totals) => takeOver(db, totals, owner)),
  currentEpoch: async () => loadTotals(db.sql).epoch,
  setStop: (model, reason, detail) => change(() => setStop(db, model, reason, detail)),
  stopOf: async (model) => stopOf(db, model),
  runStop: async () => runStop(db),
  setBudget: (budget) => change((totals) => setBudget(totals, budget)),
});

const partBook = (db: LedgerDatabase, change: Change): Omit<PartBook, 'withManifestLock'> => ({
  sealPage: (fence, page, parts) => change((totals) => sealPage(db, totals, fence, page, parts)),
  replaceParts: (epoch, parts) =>
    change((totals) => {
      refuseOldEpoch(totals, epoch);
      return replaceParts(db, parts);
    }),
  exchangeParts: (epoch, spent, parts) =>
    change((totals) => {
      refuseOldEpoch(totals, epoch);
      return exchangeParts(db, spent, parts);
    }),
  parts: async () => allParts(db).filter(({ path }) => !isSuperseded(path)),
  currentPaths: async (paths) => new Set([...paths].filter((path) => hasPart(db, path))),
  singleParts: async (page) => singleParts(db, page),
  supersededParts: async () => allParts(db).filter(({ path }) => isSuperseded(path)),
  spentParts: async () => spentParts(db),
  forgetSpent: (paths) => change(() => forgetSpent(db, paths)),
});

const countsOf = (db: LedgerDatabase): Counts => ({
  progress: async () => db.snapshot(() => progressOf(db)),
  latestFailures: async (most) => latestFailures(db, most),
  callsNow: async () => callsNow(db),
  spendByLane: async () => spendByLane(db),
  reusedByLane: async () => reusedByLane(db),
  makingLanes: async () => makingLanes(db),
  answeredModels: async () => answeredModels(db),
  answeredSteps: async () => answeredSteps(db),
  meanThoughts: async (study, model) => meanThoughts(db, study, model),
  medianLatencyMs: async (model) => medianLatencyMs(db, model),
});

function refuseOldEpoch({ epoch: current }: Totals, epoch: number): void {
  if (epoch !== current)
    throw new FencedError(`epoch ${epoch} may not replace tables of the run, which is now at epoch ${current}`);
}

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
