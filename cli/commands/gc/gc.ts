/** `gc`: lists old runs, caches and leftovers with what they take on disk, and removes them with --yes. */
import { tmpdir } from 'node:os';
import type { Found, Removable } from '../../../activities/storage/gc/removable.ts';
import { collect } from '../../../workers/gc/collect.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { runCatalog } from '../../../activities/storage/catalog/open-catalog.ts';
import type { Terminal } from '../../output/terminal.ts';
import { bytesText, gcText } from './gc-text.ts';
import { type GcOptions, wantedRuns, wantedCaches } from './wanted.ts';

export async function gc(patterns: readonly string[], options: GcOptions, terminal: Terminal): Promise<ExitStatus> {
  const { runsDir, yes = false } = options;
  const ids = await runCatalog(runsDir).ids();
  const runs = { runsDir, ids, nowMs: Date.now(), ...wantedRuns(patterns, options, ids) };
  const machine = { env: process.env, temporary: tmpdir(), caches: wantedCaches(options.caches) };
  const found = await collect({ ...runs, ...machine });
  const removed = yes ? await removeAll(found.removable, terminal) : { gone: [], refused: [] };
  const removable = yes ? removed.gone : found.removable.map(plainFound);
  const kept = [...found.kept, ...removed.refused];
  terminal.out(gcText({ removable, kept, yes }));
  terminal.document({ yes, [yes ? 'removed' : 'removable']: removable, kept, bytes: total(removable) });
  return removed.refused.length === 0 ? exitStatus.done : exitStatus.incomplete;
}

/** One after the other, so that an interrupted command has removed some and left the others whole. */
async function removeAll(
  removable: readonly Removable[],
  terminal: Terminal,
): Promise<{ readonly gone: readonly Found[]; readonly refused: readonly Found[] }> {
  const gone: Found[] = [];
  const refused: Found[] = [];
  for (const one of removable) {
    terminal.progress(`removing ${one.name}, ${bytesText(one.bytes)}`);
    const why = await one.remove();
    if (why === null) gone.push(plainFound(one));
    else refused.push({ ...plainFound(one), why });
  }
  return { gone, refused };
}

const plainFound = ({ kind, name, path, bytes, why }: Found): Found => ({ kind, name, path, bytes, why });

const total = (found: readonly Found[]): number => found.reduce((sum, { bytes }) => sum + bytes, 0);
