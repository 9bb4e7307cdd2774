/**
 * Which files hold the rows of a run. A part is current, or spent: replaced, and registered under the path that its
 * file is moved to until it is forgotten.
 */
import type { Fence } from './fence.ts';
import type { PartRecord } from './records.ts';

/** Each change is one transaction, durable before its promise resolves. Files are moved afterwards. */
export interface PartBook {
  /**
   * Registers a page's staged parts, replacing those of older revisions, and marks the page sealed, under the fence; a
   * page that the plan asks more of since they were written stays open. Returns the old paths of the replaced parts.
   * Sealing the same revision again must give the same bytes. If moving the files is interrupted, the next owner of the
   * run moves them. Throws `FencedError` for an older fence.
   */
  sealPage(fence: Fence, page: string, parts: readonly PartRecord[]): Promise<readonly string[]>;
  /**
   * Registers parts that replace those of the same table and page (`run`: the whole run). Returns the old paths of the
   * replaced ones. Throws `FencedError` if the run is at another epoch.
   */
  replaceParts(epoch: number, parts: readonly PartRecord[]): Promise<readonly string[]>;
  /**
   * Registers parts that hold the same rows as others, in other files. Returns the paths of the others, which are
   * spent. Throws if one of them is not current, and `FencedError` if the run is at another epoch.
   */
  exchangeParts(epoch: number, spent: readonly PartRecord[], parts: readonly PartRecord[]): Promise<readonly string[]>;
  /** Every current part, by path. */
  parts(): Promise<readonly PartRecord[]>;
  /** Which of these paths are those of current parts. */
  currentPaths(paths: Iterable<string>): Promise<ReadonlySet<string>>;
  /** Current parts that hold rows of one sealed page alone, of all pages of this page's lane. */
  singleParts(page: string): Promise<readonly PartRecord[]>;
  /** Replaced parts, by the path they are moved to. */
  supersededParts(): Promise<readonly PartRecord[]>;
  /** Parts whose rows others hold now, by the path they are moved to. */
  spentParts(): Promise<readonly string[]>;
  /** Call after the files of spent or replaced parts have been removed; current ones stay. */
  forgetSpent(paths: readonly string[]): Promise<void>;
  /**
   * Runs `work` while no other process does so for this run: the lock of the manifest and of the run's small files. It
   * ends with its process. `takeOver` waits for it, so that an epoch which `work` reads stays until its end. `work` may
   * read this ledger, and must neither write to it nor ask for the lock again.
   */
  withManifestLock<T>(work: () => Promise<T>): Promise<T>;
}
