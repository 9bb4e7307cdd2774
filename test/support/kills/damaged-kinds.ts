/** Damages or removes a file of each kind that a run has, and expects `verify --repair` to make it again. */
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Deployment } from '../deployment.ts';
import { stableRows } from '../stable-rows.ts';

export const spoilings = {
  damaged: (path: string): void => {
    const bytes = readFileSync(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  },
  missing: (path: string): void => rmSync(path),
} as const;

/** Of a run with merged pages, and with pages that have files of their own: what the ledger has the content of. */
async function kindsOf(folder: string): Promise<Record<string, string>> {
  const { parts } = await readManifest(folder);
  const pathOf = (isWanted: (part: Manifest['parts'][number]) => boolean): string => parts.find(isWanted)?.path ?? '';
  const kinds = {
    page: pathOf((part) => part.page !== 'run' && part.pages === undefined && part.table === 'verdicts'),
    merged: pathOf(({ pages }) => pages !== undefined),
    run: pathOf(({ page, table }) => page === 'run' && table === 'pass_at_k'),
    segment: globSync('segments/*.json', { cwd: folder })[0] ?? '',
    views: 'views.sql',
  };
  for (const [kind, path] of Object.entries(kinds)) expect([kind, path]).not.toEqual([kind, '']);
  return kinds;
}

/** In a copy of the runs directory, since a run's folder has the run's name. */
function copied(deployment: Deployment, run: string, to: string) {
  const runsDir = join(deployment.folder, to);
  cpSync(join(deployment.runsDir, run), join(runsDir, run), { recursive: true });
  const verify = (...args: readonly string[]) => deployment.evenkeel('verify', run, ...args, '--runs-dir', runsDir);
  return { folder: join(runsDir, run), verify };
}

/** One kind after the other. */
export async function expectEachMended(
  deployment: Deployment,
  run: string,
  what: keyof typeof spoilings,
): Promise<void> {
  const { folder, verify } = copied(deployment, run, what);
  const before = await stableRows(folder);
  for (const [kind, path] of Object.entries(await kindsOf(folder))) {
    spoilings[what](join(folder, path));
    const found = await verify();
    expect([kind, found.status], found.output).toEqual([kind, kind === 'segment' ? 2 : 1]);
    const end = await verify('--repair');
    expect([kind, end.status, end.stdout], end.output).toEqual([kind, 0, expect.stringContaining(`: ${path}`)]);
    expect(end.stdout).toContain('is intact');
  }
  expect(await stableRows(folder)).toEqual(before);
}

/** All kinds at once, and all segments: parts are lost that no list has any more. */
export async function expectAllMended(deployment: Deployment, run: string): Promise<void> {
  const { folder, verify } = copied(deployment, run, 'together');
  const before = await stableRows(folder);
  const { parts } = await readManifest(folder);
  const segments = globSync('segments/*.json', { cwd: folder });
  for (const path of new Set([...Object.values(await kindsOf(folder)), ...segments])) rmSync(join(folder, path));
  const end = await verify('--repair');
  expect([end.status, end.stdout], end.output).toEqual([0, expect.stringContaining('is intact')]);
  const inOrder = (some: typeof parts): typeof parts => some.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  expect(inOrder((await readManifest(folder)).parts)).toEqual(inOrder(parts));
  expect(await stableRows(folder)).toEqual(before);
}
