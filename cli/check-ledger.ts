/** The look at a ledger's file before a run goes on with it: answers would be paid for that it could not keep. */
import type { Ownership } from '../activities/storage/catalog/run-catalog.ts';
import type { RunHome } from '../activities/storage/home/run-home.ts';
import type { Manifest } from '../schemas/manifest.ts';
import { bytesText } from './commands/gc/gc-text.ts';
import type { Terminal } from './output/terminal.ts';

interface Found {
  readonly home: RunHome;
  readonly manifest: Manifest;
  readonly ownership: Ownership;
}

/** A gigabyte takes 0.8 s, and as long as the disk takes if it is not in memory. */
const notedBytes = 1_000_000_000;

/**
 * Rejects with `CorruptionError` for a damaged ledger. A finished one has its seal instead, which is checked before a
 * change. One that was interrupted may have been sealed with its damage. The owner of a running run has looked.
 */
export async function checkLedger({ home, manifest, ownership }: Found, terminal: Terminal): Promise<void> {
  const isFinished = manifest.state === 'complete' && home.seals.isSealed(manifest);
  if (isFinished || (await ownership.isOwned())) return;
  await home.refuseMalformed((bytes) => {
    if (bytes >= notedBytes) terminal.note(`checking the ledger (${bytesText(bytes)})`);
  });
}
