/** TLS to PostgreSQL, by the parameters of the address. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../activities/storage/postgres/postgres.ts';
import { prepareStore } from '../../../../activities/storage/postgres/prepare.ts';
import { postgresPrograms, startPostgres } from '../../../../scripts/cluster/postgres-server.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { certificate } from '../../../support/tls/certificate.ts';
import { onPostgres } from './on-postgres.ts';

onPostgres('TLS to PostgreSQL', () => {
  test('a server that asks for TLS and a certificate gets both, and proves who it is', async () => {
    const folder = temporaryFolder();
    const at = (name: string): string => join(folder, name);
    certificate(folder, 'authority', 'authority');
    certificate(folder, 'other', 'other authority');
    certificate(folder, 'server', 'server', 'authority');
    certificate(folder, 'worker', 'evenkeel', 'authority');
    const server = await startPostgres(postgresPrograms(), {
      tls: { folder, key: 'server.key', certificate: 'server.crt', authority: 'authority.crt' },
    });
    onTestFinished(() => server.stop());
    const store = (...parameters: readonly string[]): string => `${server.address}?${parameters.join('&')}`;
    const own = [`sslcert=${at('worker.crt')}`, `sslkey=${at('worker.key')}`];
    const full = store('sslmode=verify-full', `sslrootcert=${at('authority.crt')}`, ...own);
    await prepareStore(full);
    const database = openPostgres(full);
    onTestFinished(() => database.close());
    expect(await database.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).toEqual([{ ssl: true }]);

    await expect(prepareStore(store('sslmode=disable'))).rejects.toThrow(/no pg_hba\.conf entry .* no encryption/);
    await expect(prepareStore(store('sslmode=require'))).rejects.toThrow('requires a valid client certificate');
    const wrong = store('sslmode=verify-full', `sslrootcert=${at('other.crt')}`, ...own);
    await expect(prepareStore(wrong)).rejects.toThrow(/unable to verify|self-signed|unable to get/);
    await expect(prepareStore(store('sslmode=verify-full', ...own))).rejects.toThrow(
      /unable to verify|self-signed|unable to get/,
    );
    const elsewhere = full.replace('127.0.0.1', 'localhost');
    await expect(prepareStore(elsewhere)).rejects.toThrow(/does not match certificate/);
    const again = await prepareStore(elsewhere.replace('verify-full', 'verify-ca'));
    expect(again.from).toBe(again.to);
  });

  test('a file of TLS that cannot be read is named', () => {
    const file = join(temporaryFolder(), 'none.pem');
    expect(() => openPostgres(`postgres://db/x?sslrootcert=${file}`)).toThrow(
      /none\.pem .*cannot read this file for TLS/,
    );
    writeFileSync(file, '');
  });
});
