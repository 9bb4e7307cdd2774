/** Pages of the plan in the ledger, their lanes (study and model), and the units that may act for them. */
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { Fence } from '../fence.ts';
import { type OpenLane, OtherPlanError, type PageState, type PlannedPage } from '../plan.ts';
import { forgetAnswered, keepAnswered } from './sums/answered-steps.ts';
import type { Totals } from './totals.ts';

export interface PageRow {
  readonly id: number;
  readonly lane: number;
  readonly cells: number;
  readonly revision: number;
  readonly state: PageState;
  readonly cellsDone: number;
}

/** Throws if the plan has no such page. */
export function pageRow(db: LedgerDatabase, page: string): PageRow {
  const row = db
    .sql('select id, lane, cells, revision, state, cells_done as cellsDone from page where page = ?')
    .get(page);
  if (row === undefined)
    throw new Error(`page ${page} is not in the ledger; add the plan's pages before acting for them`);
  return row as unknown as PageRow;
}

export const pageName = (db: LedgerDatabase, id: number): string =>
  String(db.sql('select page from page where id = ?').get(id)?.['page']);

/**
 * Adds new pages, and reopens those that a later revision asks more of. Throws `OtherPlanError` if a known page has
 * other contents: a plan only grows.
 */
export function addPages(db: LedgerDatabase, pages: readonly PlannedPage[]): void {
  for (const page of pages) {
    if (isKnown(db, page)) continue;
    if (isDeeper(db, page)) {
      deepen(db, page);
      continue;
    }
    const lane = laneOf(db, page);
    db.sql('insert into page (page, lane, cells, revision) values (?, ?, ?, ?)').run(
      page.page,
      lane,
      page.cells,
      page.revision,
    );
    db.sql('update lane set pages = pages + 1, cells = cells + ? where id = ?').run(page.cells, lane);
  }
}

function isKnown(db: LedgerDatabase, page: PlannedPage): boolean {
  const known = db
    .sql('select study, model, page.cells, revision from page join lane on lane.id = page.lane where page = ?')
    .get(page.page);
  if (known === undefined) return false;
  const differs = (['study', 'model', 'cells', 'revision'] as const).find((field) => known[field] !== page[field]);
  if (differs === undefined) return true;
  if (differs === 'revision' && Number(known['revision']) < page.revision) return false;
  throw new OtherPlanError({ ...(known as Omit<PlannedPage, 'page'>), page: page.page }, page);
}

const isDeeper = (db: LedgerDatabase, { page }: PlannedPage): boolean =>
  db.sql('select 1 from page where page = ?').get(page) !== undefined;

/** Reopens a page: its cells are the same, but each may have more to ask. */
function deepen(db: LedgerDatabase, { page, revision }: PlannedPage): void {
  const { id, lane, state, cellsDone } = pageRow(db, page);
  forgetAnswered(db, id);
  const [sealed, failed] = [state === 'sealed' ? 1 : 0, state === 'failed' ? 1 : 0];
  db.sql("update page set revision = ?, state = 'open', failure = null, cells_done = 0 where id = ?").run(revision, id);
  db.sql('update lane set sealed = sealed - ?, failed = failed - ?, cells_done = cells_done - ? where id = ?').run(
    sealed,
    failed,
    cellsDone,
    lane,
  );
}

function laneOf(db: LedgerDatabase, { study, model }: PlannedPage): number {
  db.sql('insert or ignore into lane (study, model) values (?, ?)').run(study, model);
  return Number(db.sql('select id from lane where study = ? and model = ?').get(study, model)?.['id']);
}

export const openLanes = (db: LedgerDatabase): OpenLane[] =>
  db
    .sql('select study, model, pages - sealed - failed as open from lane where pages > sealed + failed order by id')
    .all() as unknown as OpenLane[];

/** By the index of a lane's pages: it reads none before `after`, and none of another lane. */
export const openPages = (
  db: LedgerDatabase,
  { study, model }: Pick<OpenLane, 'study' | 'model'>,
  after: string | null,
  limit: number,
): string[] =>
  db
    .sql(
      `select page from page where lane = (select id from lane where study = ? and model = ?) and state = 'open'
         and id > coalesce((select id from page where page = ?), 0) order by id limit ?`,
    )
    .all(study, model, after, limit)
    .map(({ page }) => String(page));

/** A sealed page stays sealed. */
export function failPage(db: LedgerDatabase, page: string, reason: string): void {
  const { id, lane, state } = pageRow(db, page);
  if (state !== 'open') return;
  db.sql("update page set state = 'failed', failure = ? where id = ?").run(reason, id);
  db.sql('update lane set failed = failed + 1 where id = ?').run(lane);
}

export function reopenFailedPages(db: LedgerDatabase): void {
  db.sql("update page set state = 'open', failure = null where state = 'failed'").run();
  db.sql('update lane set failed = 0').run();
}

export function markCellsDone(db: LedgerDatabase, page: string, cellsDone: number): void {
  const row = pageRow(db, page);
  if (cellsDone < 0 || cellsDone > row.cells)
    throw new RangeError(`page ${page} has ${row.cells} cells, got ${cellsDone} done`);
  const more = Math.max(0, cellsDone - row.cellsDone);
  db.sql('update page set cells_done = cells_done + ? where id = ?').run(more, row.id);
  db.sql('update lane set cells_done = cells_done + ? where id = ?').run(more, row.lane);
}

/** Marks a page sealed, with all its cells done. */
export function markSealed(db: LedgerDatabase, page: string): void {
  const row = pageRow(db, page);
  markCellsDone(db, page, row.cells);
  keepAnswered(db, row.id);
  if (row.state === 'sealed') return;
  db.sql("update page set state = 'sealed', failure = null where id = ?").run(row.id);
  db.sql('update lane set sealed = sealed + 1, failed = failed - ? where id = ?').run(
    row.state === 'failed' ? 1 : 0,
    row.lane,
  );
}

interface UnitRow {
  readonly id: number;
  readonly epoch: number;
  readonly attempt: number;
}

const unitRow = (db: LedgerDatabase, unit: string): UnitRow | undefined =>
  db.sql('select id, epoch, attempt from unit where unit = ?').get(unit) as UnitRow | undefined;

/** The unit's number if `fence` is the newest for run and unit; undefined for any older fence. */
export function fencedUnit(db: LedgerDatabase, totals: Totals, fence: Fence): number | undefined {
  if (fence.epoch !== totals.epoch) return undefined;
  const unit = unitRow(db, fence.unit);
  return unit?.epoch === fence.epoch && unit.attempt === fence.attempt ? unit.id : undefined;
}

/** The unit's newest attempt under `epoch`; 0 if there is none. */
export function lastAttempt(db: LedgerDatabase, unit: string, epoch: number): number {
  const row = unitRow(db, unit);
  return row?.epoch === epoch ? row.attempt : 0;
}

/** Assigns the unit to a new attempt and returns its number; older fences of the unit are invalid from then on. */
export function raiseAttempt(db: LedgerDatabase, unit: string, epoch: number, attempt: number): number {
  const row = db
    .sql(
      `insert into unit (unit, epoch, attempt) values (?, ?, ?)
       on conflict (unit) do update set epoch = excluded.epoch, attempt = excluded.attempt returning id`,
    )
    .get(unit, epoch, attempt);
  return Number(row?.['id']);
}
