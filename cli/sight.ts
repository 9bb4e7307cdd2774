/** One look at a run: what its manifest, its ledger and its lock say at this moment. */
import { join } from 'node:path';
import { accountFileIn, closedAccountsOf } from '../activities/closed-accounts.ts';
import type { Ledger } from '../activities/storage/ledger.ts';
import type { Progress } from '../activities/storage/ledger-counts.ts';
import { readManifest } from '../activities/storage/manifest-file.ts';
import { isOwned } from '../activities/storage/ownership.ts';
import { openLedger } from '../activities/storage/sqlite-ledger.ts';
import { singleModels } from '../activities/single-answers.ts';
import { mixedModels, otherModels } from '../activities/versions.ts';
import type { ClosedAccount } from '../domain/account-state.ts';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';
import type { Manifest } from '../schemas/manifest.ts';

export interface Seen {
  readonly manifest: Manifest;
  readonly progress: Progress;
  /** Models whose answers are of more than one version. */
  readonly mixed: ReturnType<typeof mixedModels>;
  /** Models whose endpoint refused to give several answers to one request. */
  readonly single: ReturnType<typeof singleModels>;
  /** Models that another one answered for. */
  readonly others: ReturnType<typeof otherModels>;
  /** Accounts of the run's models that their endpoints keep closed. */
  readonly closed: readonly ClosedAccount[];
  readonly owned: boolean;
}

/** Looks as often as `see` asks, through one open ledger. */
export async function lookAt<T>(folder: string, see: (look: () => Promise<Seen>, ledger: Ledger) => Promise<T>): Promise<T> {
  const ledger = openLedger(join(folder, 'ledger.sqlite'));
  try {
    return await see(() => look(folder, ledger), ledger);
  } finally {
    ledger.close();
  }
}

async function look(folder: string, ledger: Ledger): Promise<Seen> {
  const manifest = await readManifest(folder);
  const asked = new Map(manifest.spec.models.map(({ id, model }) => [id, model ?? id]));
  return {
    manifest,
    progress: ledger.progress(),
    mixed: mixedModels(ledger),
    single: singleModels(ledger),
    others: otherModels(ledger, (id) => asked.get(id)),
    closed: closedNow(manifest),
    owned: isOwned(folder),
  };
}

/** None where the file of accounts cannot be read: whoever makes a call says so. */
export function closedNow({ spec }: Pick<Manifest, 'spec'>): readonly ClosedAccount[] {
  try {
    return closedAccountsOf(spec, accountFileIn(cacheFolder(process.env)), Date.now());
  } catch {
    return [];
  }
}

/** Nobody carries the run out any more. */
export const isSettled = ({ manifest, owned }: Seen): boolean => manifest.state !== 'running' || !owned;

export const stateOf = ({ manifest, owned }: Seen): string => (manifest.state === 'running' && !owned ? 'interrupted' : manifest.state);
