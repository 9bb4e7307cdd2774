/** `doctor` makes a round trip to each server that the environment names. */
import { expect, test } from 'vitest';
import { checkBlobs, checkStore } from '../../../../activities/storage/postgres/check-servers.ts';
import { newObjects, onObjects } from './on-objects.ts';
import { newPostgresStore, onPostgres, storeIn } from './on-postgres.ts';

onPostgres('the check of a store on PostgreSQL', () => {
  test('says what is there, or what is wrong', async () => {
    expect(await checkStore(await newPostgresStore('ek_worker'))).toMatch(
      /tables of version \d+, answered in [\d.]+ ms/,
    );
    await expect(checkStore(storeIn('nothing_here'))).rejects.toThrow(/version 0.* run `evenkeel store prepare`/);
    await expect(checkStore('postgres://evenkeel@127.0.0.1:1/none')).rejects.toThrow('ECONNREFUSED');
  });
});

onObjects('the check of an object store', () => {
  test('writes and reads, again and again; a bucket that does not exist is named', async () => {
    const address = newObjects();
    for (let time = 0; time < 2; time += 1)
      expect(await checkBlobs(address)).toMatch(/wrote and read an object in \d+ ms/);
    await expect(checkBlobs('s3://no-such-bucket')).rejects.toThrow(/no-such-bucket.*HTTP 404/);
  });
});
