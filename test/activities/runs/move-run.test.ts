/** What meets a move between its steps: changes, other moves, and moves from there to a third place. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { moveRun, type Place } from '../../../activities/runs/move/move-run.ts';
import { folderCatalog } from '../../../activities/storage/catalog/folder-catalog.ts';
import { setRunState, updateManifest } from '../../../activities/storage/manifest.ts';
import { ledgerPath } from '../../../activities/storage/run-paths.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { newFolder } from '../storage/ledger/ledger-fixture.ts';
import { manifest } from '../storage/manifest-fixture.ts';

const newPlace = (name: string): Place => ({ name, catalog: folderCatalog(join(newFolder(), name)) });

async function newPlaces(): Promise<{ readonly here: Place; readonly there: Place }> {
  const here = newPlace('here');
  await here.catalog.create('r', async () => manifest);
  return { here, there: newPlace('there') };
}

/** A place where something happens as soon as the copy is complete. */
const thenAt = ({ name, catalog }: Place, happens: () => Promise<unknown>): Place => ({
  name,
  catalog: {
    ...catalog,
    async receive(id, fill, ledger) {
      await catalog.receive(id, fill, ledger);
      await happens();
    },
  },
});

const manifestAt = ({ catalog }: Place): Promise<Manifest> => catalog.home('r').manifest();

// Red before: the copy lacked the change, and was the one that went on.
test('a run that is changed while it is copied stays, and the next move takes the change along', async () => {
  const { here, there } = await newPlaces();
  const changed = { ...manifest.spec, budget: { usd: 7 } };
  const busy = thenAt(there, () =>
    updateManifest(here.catalog.home('r'), (found) => ({ ...found, spec: { ...found.spec, budget: changed.budget } })),
  );
  await expect(moveRun('r', here, busy)).rejects.toThrow(
    'run "r" was changed while it was copied, and stays in here: repeat the move',
  );
  expect((await manifestAt(here)).moved).toBeUndefined();
  expect((await manifestAt(there)).arriving?.from).toBe('here');

  expect(await moveRun('r', here, there)).toBe('moved');
  const arrived = await manifestAt(there);
  expect(arrived.arriving).toBeUndefined();
  expect(arrived.spec.budget).toEqual(changed.budget);
});

// Red before: the older copy of the other move arrived.
test('a copy that another move has made meanwhile does not arrive', async () => {
  const { here, there } = await newPlaces();
  const other = { from: 'here', move: 'of another process' };
  const busy = thenAt(there, () => there.catalog.home('r').changeManifest((found) => ({ ...found, arriving: other })));
  await expect(moveRun('r', here, busy)).rejects.toThrow(
    'another copy of run "r" has arrived in its place in there: repeat the move',
  );
  expect((await manifestAt(there)).arriving).toEqual(other);
});

// Red before: "there" was said of a copy that can only be read.
test('of a run that went on to a third place, a repeated move says where it was moved to', async () => {
  const { here, there } = await newPlaces();
  expect(await moveRun('r', here, there)).toBe('moved');
  expect(await moveRun('r', here, there)).toBe('there');
  expect(await moveRun('r', there, newPlace('third'))).toBe('moved');
  await expect(moveRun('r', here, there)).rejects.toThrow('run "r" was moved to there: continue it there');
});

// Red before: the copy has no seal, so that nothing told of the change any more.
test('a run whose ledger differs from its seal stays', async () => {
  const { here, there } = await newPlaces();
  const { folder, seals } = here.catalog.home('r');
  await setRunState(here.catalog.home('r'), 'complete', null);
  await seals.seal();
  const database = new DatabaseSync(ledgerPath(folder));
  database.exec('update run set spent_tokens = 7');
  database.close();
  await expect(moveRun('r', here, there)).rejects.toThrow(/ledger\.sqlite: has SHA-256 \w+, not \w+ as recorded/);
  expect(await there.catalog.has('r')).toBe(false);
});
