import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { CorruptionError } from '../../../domain/errors.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** As SQLite reads a page that was cut off: its rule `not null` holds for what is written only. */
test('a part that has lost its path is damage of the ledger, with its file', async () => {
  const path = join(temporaryFolder(), 'ledger.sqlite');
  await openLedger(path).close();
  const database = new DatabaseSync(path);
  database.exec(`drop table part;
    create table part (path, table_name, page, row_count, bytes, sha256, schema_version, revision);
    insert into part values (null, 'samples', 'a/m/0', 1, 1, 'abc', 1, 1)`);
  database.close();
  const ledger = openLedger(path);
  await expect(ledger.parts()).rejects.toThrow(CorruptionError);
  await expect(ledger.supersededParts()).rejects.toThrow(/ledger\.sqlite: every part of a run must have its path/);
  await ledger.close();
});
