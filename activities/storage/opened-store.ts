/** The store on servers that this process works with. A process works with one store. */
import type { AccountStore } from '../calls/accounts/account-store.ts';
import type { RunCatalog } from './catalog/run-catalog.ts';
import type { Removable } from './gc/removable.ts';
import type { RunKeeper } from './gc/run-keeper.ts';

export interface OpenedStore {
  /** The folder of this machine's copies: commands and workers name the store by it, as they name a folder of runs. */
  readonly runsDir: string;
  /** For people: without a password. */
  readonly name: string;
  /** A UUID that is the store's on every host. */
  readonly id: string;
  readonly catalog: RunCatalog;
  readonly accounts: AccountStore;
  readonly kept: RunKeeper;
  /** What killed commands left there. @param nowMs milliseconds since 1970 */
  leftovers(nowMs: number): Promise<readonly Removable[]>;
}

let opened: OpenedStore | null = null;

export function rememberStore(store: OpenedStore): void {
  opened = store;
}

/** Null if this process works with folders. */
export const openedStore = (): OpenedStore | null => opened;

/** The store on servers whose copies are in this folder; null for a folder of runs. */
export const storeAt = (runsDir: string): OpenedStore | null => (opened?.runsDir === runsDir ? opened : null);

/** For people. */
export const storeName = (runsDir: string): string => storeAt(runsDir)?.name ?? runsDir;
