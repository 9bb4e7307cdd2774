/** Takes the manifest's lock of the ledger at its argument, says `held`, and keeps it until it is killed. */
import { writeSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openLedgerAt } from '../ledger-address.ts';

const ledger = await openLedgerAt(process.argv[2] ?? '');
await ledger.withManifestLock(async () => {
  writeSync(1, 'held\n');
  await pause(600_000);
});
