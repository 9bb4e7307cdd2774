/** The runs that a server shows: their followers, their list, their examples. */
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import type { ListedRun } from '../../analysis/report/live/facts.ts';
import { runsHtml } from '../../analysis/report/live/page.ts';
import { exampleDocument } from '../../analysis/report/examples.ts';
import { snapshotOf, stateOf } from '../follow/run-snapshot.ts';
import { cellCounts } from '../follow/share-done.ts';
import { storeName } from '../../activities/storage/opened-store.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import type { RunCatalog } from '../../activities/storage/catalog/run-catalog.ts';
import { faultText } from './fault-text.ts';
import { createPageMaker, pageBounds } from './page-maker.ts';
import { createPoll, type Poll } from './poll.ts';
import { createRunFollower, type RunFollower } from './run-follower.ts';
import type { PagePace } from './run-page.ts';
import { storedState } from './stored-state.ts';

export interface WatchedRuns {
  /** The only run that was named. */
  readonly only: string | null;
  /** Of the list. */
  readonly title: string;
  readonly list: Poll<{ readonly facts: string; readonly revision: number; readonly runs: readonly ListedRun[] }>;
  /** Null for a run that is not shown. */
  find(id: string): Promise<RunFollower | null>;
  /** JSON; null if the run has no such example. */
  example(run: string, id: string): Promise<string | null>;
  faultText(error: unknown): string;
  close(): void;
}

const listPauseMs = 2_000;

/** Leaves the machine to the run. */
const usualPace: PagePace = { restMs: 5_000, mostBusy: 0.2 };

/** @param named runs to show; none for all of the folder, those that come later too */
export function watchedRuns(runsDir: string, named: readonly string[], pace = usualPace): WatchedRuns {
  const maker = createPageMaker();
  const followers = new Map<string, RunFollower>();
  const catalog = runCatalog(runsDir);
  const examples = createExamples(catalog);
  const shownIds = async (): Promise<readonly string[]> =>
    named.length > 0 ? named : [...(await catalog.ids()), ...(await catalog.brokenIds())].toSorted();
  const find = async (id: string): Promise<RunFollower | null> => {
    if (!followers.has(id) && !(await shownIds()).includes(id)) return null;
    const known = followers.get(id) ?? createRunFollower(runsDir, id, { maker, pace });
    followers.set(id, known);
    return known;
  };
  const list = async () => {
    const runs: ListedRun[] = [];
    for (const id of await shownIds()) runs.push(await listedRun(catalog, id));
    return { runs, facts: runsHtml(runs).markup, revision: 0 };
  };
  return {
    only: named.length === 1 ? (named[0] ?? null) : null,
    title: storeName(runsDir),
    list: createPoll(list, () => listPauseMs),
    find,
    example: async (run, id) => ((await find(run)) === null ? null : examples.read(run, id)),
    faultText,
    close: () => maker.close(),
  };
}

async function listedRun(catalog: RunCatalog, run: string): Promise<ListedRun> {
  const nothing = { state: 'unreadable', done: null, cells: null, createdAt: '', isShown: false };
  let stored = nothing;
  try {
    const { home, manifest } = await catalog.find(run);
    stored = { ...nothing, state: manifest.state, createdAt: manifest.createdAt, isShown: true };
    const ledger = await home.openLedgerToLook();
    try {
      const seen = await snapshotOf(home, catalog.ownership(run), ledger, async () => []);
      return { ...stored, run, state: stateOf(seen), ...cellCounts(seen.progress), fault: null };
    } finally {
      await ledger.close();
    }
  } catch (error) {
    return { ...stored, run, fault: faultText(error) };
  }
}

/** Reads examples from one open database at a time: that of the run and state that was asked for last. */
function createExamples(catalog: RunCatalog): { read(run: string, id: string): Promise<string | null> } {
  let open: { readonly of: string; readonly database: Promise<RunDatabase> } | null = null;
  const databaseOf = async (run: string): Promise<RunDatabase> => {
    const home = catalog.home(run);
    const of = `${run} ${await storedState(home)}`;
    if (open?.of === of) return open.database;
    void open?.database.then((database) => database.close()).catch(() => undefined);
    open = { of, database: home.tables().then((tables) => openRun(tables, { bounds: pageBounds })) };
    return open.database;
  };
  return { read: async (run, id) => exampleDocument(await databaseOf(run), id) };
}
