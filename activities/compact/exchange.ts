/**
 * Puts rows into other files, so that a kill at any moment harms nothing and a reader finds each row once: new files
 * are written aside, the ledger says which count, older ones go out before new ones come in, the manifest follows, and
 * only then the older files are removed.
 */
import { supersededPath } from '../../domain/part-paths.ts';
import type { Run } from '../runs/opened/run.ts';
import type { PartRecord } from '../storage/ledger/records.ts';
import { publishChange, publishManifest } from '../storage/manifest.ts';
import type { StagedPart } from '../storage/parts/parts.ts';
import { publishStaged } from '../storage/parts/publish-staged.ts';
import type { PartsChange } from '../storage/parts/publisher.ts';

/** The staged parts hold the rows of the spent ones from now on. Throws `FencedError` for an old epoch. */
export const exchange = async (
  run: Run,
  epoch: number,
  spent: readonly PartRecord[],
  staged: readonly StagedPart[],
): Promise<PartsChange> =>
  publishStaged(run.home.parts, staged, (records) => run.ledger.exchangeParts(epoch, spent, records));

/** Publishes the manifest and then removes the files of spent parts. Call when all parts are in place. */
export async function clearSpent({ home, ledger }: Run): Promise<void> {
  const spent = await ledger.spentParts();
  if (spent.length === 0) return;
  await publishManifest(home, ledger);
  await removeSpent(home, ledger, spent);
}

/** Publishes one exchange and then removes the files of its spent parts, while other pages are being sealed. */
export async function publishExchange({ home, ledger }: Run, change: PartsChange): Promise<void> {
  await publishChange(home, ledger, change);
  await removeSpent(home, ledger, change.removed.map(supersededPath));
}

/**
 * Removes tables of the run that a stop in the same revision of its plan left, by its budget, say: no complete run had
 * them. Those of earlier revisions stay. Call when the manifest lists the newer ones.
 */
export async function clearReplaced({ home, ledger, revisions }: Run): Promise<void> {
  const revision = revisions.at(-1)?.revision ?? 1;
  const replaced = (await ledger.supersededParts()).filter((part) => part.revision === revision);
  if (replaced.length > 0)
    await removeSpent(
      home,
      ledger,
      replaced.map(({ path }) => path),
    );
}

async function removeSpent({ parts }: Run['home'], ledger: Run['ledger'], spent: readonly string[]): Promise<void> {
  parts.removeSpent(spent);
  await ledger.forgetSpent(spent);
}
