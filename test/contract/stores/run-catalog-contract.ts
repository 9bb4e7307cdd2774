/** What every catalog of runs promises about them and their owners, to one process and to several. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { RunCatalog } from '../../../activities/storage/catalog/run-catalog.ts';
import { sha256 } from '../../../domain/ids.ts';
import { manifest } from '../../activities/storage/manifest-fixture.ts';
import { openCatalog } from './catalog-address.ts';

const child = fileURLToPath(new URL('./owner-process.ts', import.meta.url));

/** Processes that do something with runs, and print what came of it. */
function start(...args: readonly (string | number)[]) {
  const other = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', child, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void other.kill('SIGKILL'));
  const said = async (): Promise<string> => {
    const [line] = (await once(other.stdout, 'data')) as [Buffer];
    return String(line).trim();
  };
  const kill = async (): Promise<void> => {
    other.kill('SIGKILL');
    await once(other, 'close');
  };
  return { said, kill };
}

const manifestOf = (runId: string) => ({ ...manifest, runId });

/** @param newAddress of a catalog without runs; see `openCatalog` */
export function runCatalogContract(newAddress: () => string | Promise<string>): void {
  async function catalogWith(...ids: readonly string[]): Promise<{ address: string; catalog: RunCatalog }> {
    const address = await newAddress();
    const catalog = openCatalog(address);
    for (const id of ids) await catalog.create(id, async () => manifestOf(id));
    return { address, catalog };
  }

  test('a catalog without runs has none, and names none', async () => {
    const { catalog } = await catalogWith();
    expect([await catalog.ids(), await catalog.brokenIds(), await catalog.has('a')]).toEqual([[], [], false]);
    await expect(catalog.find('a')).rejects.toMatchObject({ name: 'InputError', message: /no run "a"/ });
  });

  test('a created run is found under its id, by others too', async () => {
    const { address, catalog } = await catalogWith('one', 'two');
    expect(new Set(await catalog.ids())).toEqual(new Set(['one', 'two']));
    const other = openCatalog(address);
    expect([await other.has('one'), await other.has('three')]).toEqual([true, false]);
    expect((await other.find('one')).manifest).toEqual(manifestOf('one'));
    expect((await other.findToChange('two')).manifest).toEqual(manifestOf('two'));
  });

  test('an unknown run is refused with the nearest id, and an id that no run can have with the rule', async () => {
    const { catalog } = await catalogWith('nightly');
    await expect(catalog.find('nightli')).rejects.toThrow('did you mean "nightly"?');
    for (const id of ['../nightly', '.hidden', '', 'a/b'])
      await expect(catalog.find(id)).rejects.toThrow('a run id must start with a letter or digit');
  });

  test('a run whose making fails does not exist, and its id is free', async () => {
    const { catalog } = await catalogWith();
    await expect(catalog.create('a', () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
    expect([await catalog.ids(), await catalog.brokenIds()]).toEqual([[], []]);
    await catalog.create('a', async () => manifestOf('a'));
    expect(await catalog.ids()).toEqual(['a']);
  });

  test('of several that create a run at once, one does; the others are told that it exists', async () => {
    const { catalog } = await catalogWith();
    const made = await Promise.allSettled(
      [1, 2, 3].map((seed) =>
        catalog.create('a', async () => ({ ...manifestOf('a'), stateDetail: `made by ${seed}` })),
      ),
    );
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused).toHaveLength(2);
    for (const reason of refused) expect(reason).toMatchObject({ name: 'InputError', message: /already exists/ });
  });

  test('a run that was copied under another id may be read but not changed', async () => {
    const { catalog } = await catalogWith();
    await catalog.create('copy', async () => manifestOf('original'));
    expect((await catalog.find('copy')).manifest.runId).toBe('original');
    await expect(catalog.findToChange('copy')).rejects.toThrow('can be changed only under its own name');
  });

  test('a run that has moved, and a copy that has not arrived, may be read but not changed', async () => {
    const { catalog } = await catalogWith();
    const marks = { moved: { to: 'elsewhere', move: 'm' }, arriving: { from: 'there', move: 'm' } };
    await catalog.create('old', async () => ({ ...manifestOf('old'), moved: marks.moved }));
    await catalog.create('new', async () => ({ ...manifestOf('new'), arriving: marks.arriving }));
    expect([(await catalog.find('old')).manifest.moved, (await catalog.find('new')).manifest.arriving]).toEqual([
      marks.moved,
      marks.arriving,
    ]);
    await expect(catalog.findToChange('old')).rejects.toThrow('was moved to elsewhere: continue it there');
    await expect(catalog.findToChange('new')).rejects.toThrow('is being moved here from there: repeat the move');
  });

  test('a run has one owner until it is released; other runs have others', async () => {
    const { address, catalog } = await catalogWith('a', 'b');
    const [own, other] = [catalog.ownership('a'), openCatalog(address).ownership('a')];
    expect(await own.isOwned()).toBe(false);
    const owned = await own.take();
    expect([owned === null, await own.take(), await other.take()]).toEqual([false, null, null]);
    expect([await own.isOwned(), await other.isOwned()]).toEqual([true, true]);
    expect(await catalog.ownership('b').isOwned()).toBe(false);
    await owned?.release();
    await expect.poll(async () => [await own.isOwned(), await other.isOwned()]).toEqual([false, false]);
    expect(await other.take()).not.toBeNull();
  });

  test('a living owner keeps its run; a killed one loses it', async () => {
    const { address, catalog } = await catalogWith('a');
    const owner = start('take', address, 'a');
    expect(await owner.said()).toBe('["a"]');
    const ownership = catalog.ownership('a');
    expect([await ownership.isOwned(), await ownership.take()]).toEqual([true, null]);
    await owner.kill();
    // A server needs a moment to see that a session has ended.
    await expect.poll(() => ownership.isOwned(), { timeout: 5_000 }).toBe(false);
    expect(await ownership.take()).not.toBeNull();
  });

  // Red when the local `begin exclusive` becomes `begin`: then everybody gets it.
  test('of three processes that take runs at once, while others check them, one gets each', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    const { address } = await catalogWith(...ids);
    const all = [1, 2, 3].map(() => start('race', address, Date.now() + 2_000, ...ids));
    const taken = (await Promise.all(all.map(({ said }) => said()))).flatMap((line) => JSON.parse(line) as string[]);
    expect(taken.toSorted((one, other) => one.localeCompare(other))).toEqual(ids);
  });

  test('nobody owns a run that does not exist', async () => {
    const { catalog } = await catalogWith();
    expect(await catalog.ownership('none').isOwned()).toBe(false);
    await expect(catalog.ownership('none').take()).rejects.toThrow();
  });

  test("a run's files are in its folder once they are fetched", async () => {
    const address = await newAddress();
    const text = new TextEncoder().encode('[]');
    const input = { file: `inputs/${sha256(text)}.json`, sha256: sha256(text) };
    await openCatalog(address).create('a', async (inputs) => {
      await inputs.putImmutable(input.file, text, input.sha256);
      return manifestOf('a');
    });
    const found = await openCatalog(address).find('a');
    for (let time = 0; time < 2; time += 1) {
      await found.home.fetch([input]);
      expect(readFileSync(join(found.folder, input.file), 'utf8')).toBe('[]');
    }
    expect(await found.home.manifest()).toEqual(manifestOf('a'));
  });
}
