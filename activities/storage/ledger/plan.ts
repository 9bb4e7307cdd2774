/** Pages of the plan with their states, and the lanes (study and model) that they belong to. */

export type PageState = 'open' | 'sealed' | 'failed';

export interface PlannedPage {
  readonly page: string;
  readonly study: string;
  readonly model: string;
  readonly cells: number;
  readonly revision: number;
}

/** The ledger has a page of another plan, or of a later revision of it. */
export class OtherPlanError extends Error {
  override readonly name = 'OtherPlanError';

  constructor(known: PlannedPage, given: PlannedPage) {
    const field = (['study', 'model', 'cells', 'revision'] as const).find((one) => known[one] !== given[one]);
    const found = field ?? 'revision';
    super(
      `page ${given.page} has ${found} ${known[found]} in the ledger, got ${given[found]}: a plan may add pages, ` +
        'never change them',
    );
  }
}

export interface OpenLane {
  readonly study: string;
  readonly model: string;
  readonly open: number;
}

export interface Plan {
  /**
   * Adds new pages in this order, and opens those again that a later revision asks more of; all or none. Adding a page
   * again changes nothing. Rejects with `OtherPlanError` if a known page has other contents, or is of a later revision:
   * a plan only grows.
   */
  addPages(pages: readonly PlannedPage[]): Promise<void>;
  /** Throws if the plan has no such page. */
  pageState(page: string): Promise<PageState>;
  /** By page, in one read. Throws if the plan lacks one of them. */
  pageStates(pages: Iterable<string>): Promise<ReadonlyMap<string, PageState>>;
  /** Numbers of open pages, by study and model in the order of the plan; those without any are left out. */
  openLanes(): Promise<readonly OpenLane[]>;
  /** Open pages of a lane in the order of the plan, after page `after` (null: from the start), at most `limit`. */
  openPages(lane: Pick<OpenLane, 'study' | 'model'>, after: string | null, limit: number): Promise<readonly string[]>;
  /** A sealed page stays sealed. */
  failPage(page: string, reason: string): Promise<void>;
  /** Opens failed pages again, so that a resume retries them. */
  reopenFailedPages(): Promise<void>;
  /** Progress within a page, for `status`: cells that have reached their end. Never goes back. */
  markCellsDone(page: string, cellsDone: number): Promise<void>;
}
