/** The plan of a run on PostgreSQL: its pages, and the lanes that they belong to. */
import { OtherPlanError, type PageState, type Plan, type PlannedPage } from '../../ledger/plan.ts';
import type { Postgres } from '../postgres.ts';
import { toStored } from './texts.ts';

export function plan(database: Postgres, run: number): Plan {
  const { query } = database;
  return {
    async addPages(pages) {
      const given = pages.map(({ page, study, model, cells, revision }) => ({ page, study, model, cells, revision }));
      const [row] = await query<{ readonly fault: PageFault | null }>('select add_pages($1, $2) as fault', [
        run,
        JSON.stringify(given),
      ]);
      if (row?.fault != null) throw refused(pages, row.fault);
    },
    pageState: async (page) => (await statesOf(database, run, [page])).get(page) ?? 'open',
    pageStates: (pages) => statesOf(database, run, [...pages]),
    openLanes: () =>
      query(
        `select study, model, pages - sealed - failed as open from lane
         where run = $1 and pages > sealed + failed order by id`,
        [run],
      ),
    async openPages({ study, model }, after, limit) {
      const rows = await query<{ readonly page: string }>(
        `select page from plan_page where run = $1 and state = 'open'
         and lane = (select id from lane where run = $1 and study = $2 and model = $3)
         and id > coalesce((select id from plan_page where run = $1 and page = $4), 0) order by id limit $5`,
        [run, study, model, after, limit],
      );
      return rows.map(({ page }) => page);
    },
    async failPage(page, reason) {
      const [row] = await query<{ readonly is_known: boolean }>(
        `with failing as (
           update plan_page set state = 'failed', failure = $3 where run = $1 and page = $2 and state = 'open'
           returning lane
         ), counted as (update lane set failed = lane.failed + 1 from failing where run = $1 and id = failing.lane)
         select exists (select from plan_page where run = $1 and page = $2) as is_known`,
        [run, page, toStored(reason)],
      );
      if (row?.is_known !== true) throw unknownPage(page);
    },
    async reopenFailedPages() {
      await query(
        `with opened as (
           update plan_page set state = 'open', failure = null where run = $1 and state = 'failed' returning lane
         )
         update lane set failed = lane.failed - more.pages
         from (select lane, count(*) as pages from opened group by lane) as more where run = $1 and id = more.lane`,
        [run],
      );
    },
    async markCellsDone(page, cellsDone) {
      const [row] = await query<{ readonly cells: number | null }>('select mark_cells_done($1, $2, $3) as cells', [
        ...[run, page, cellsDone],
      ]);
      if (row?.cells == null) throw unknownPage(page);
      if (cellsDone < 0 || cellsDone > row.cells)
        throw new RangeError(`page ${page} has ${row.cells} cells, got ${cellsDone} done`);
    },
  };
}

export const unknownPage = (page: string): Error =>
  new Error(`page ${page} is not in the ledger; add the plan's pages before acting for them`);

async function statesOf(database: Postgres, run: number, pages: readonly string[]) {
  const rows = await database.query<{ readonly page: string; readonly state: PageState }>(
    'select page, state from plan_page where run = $1 and page = any ($2)',
    [run, pages],
  );
  const known = new Map(rows.map(({ page, state }) => [page, state]));
  return new Map(
    pages.map((page) => {
      const state = known.get(page);
      if (state === undefined) throw unknownPage(page);
      return [page, state];
    }),
  );
}

interface PageFault {
  readonly page: string;
  readonly known: Omit<PlannedPage, 'page'>;
}

function refused(pages: readonly PlannedPage[], { page, known }: PageFault): Error {
  const found = { ...known, page };
  return new OtherPlanError(found, pages.find((one) => one.page === page) ?? found);
}
