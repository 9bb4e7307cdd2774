/** What `gc` found or removed, for a person. */
import Table from 'cli-table3';
import type { Found } from '../../../activities/storage/gc/removable.ts';
import { counted } from '../../../domain/counted.ts';
import { plain } from '../../output/terminal.ts';

const kinds = { run: 'run', cache: 'cache', orphan: 'leftover' } as const;
/** Longer lists of leftovers are summed up: they are many and small. */
const mostLines = 40;

export interface GcSeen {
  readonly removable: readonly Found[];
  readonly kept: readonly Found[];
  /** Whether it was done. */
  readonly yes: boolean;
}

export function gcText({ removable, kept, yes }: GcSeen): string {
  const sum = `${counted(removable.length, 'item')}, ${bytesText(bytesOf(removable))}`;
  const ending = yes ? `removed: ${sum}` : `nothing was removed; the same command with --yes removes ${sum}`;
  return [
    ...(removable.length === 0 ? [] : [tableText(removable)]),
    ...kept.map(
      ({ kind, name, bytes, why }) => `stays: ${kinds[kind]} ${plain(name)}, ${bytesText(bytes)}: ${plain(why)}`,
    ),
    removable.length > 0 ? ending : kept.length > 0 ? nothingElse : nothing,
  ].join('\n');
}

const nothingElse = 'nothing to remove: what was asked for stays, for the reasons above';
const nothing =
  'nothing to remove; --older-than DAYS or a pattern names runs, --caches NAMES names caches (see "gc --help")';

function tableText(found: readonly Found[]): string {
  const table = new Table({ head: ['what', 'name', 'size', 'why'], style: { head: [], border: [] } });
  const ordered = found.toSorted((a, b) => b.bytes - a.bytes);
  for (const { kind, name, bytes, why } of ordered.slice(0, mostLines))
    table.push([kinds[kind], plain(name), bytesText(bytes), plain(why)]);
  const rest = ordered.slice(mostLines);
  if (rest.length > 0)
    table.push(['', `${counted(rest.length, 'smaller one')}`, bytesText(bytesOf(rest)), '--json lists all']);
  return table.toString();
}

const bytesOf = (found: readonly Found[]): number => found.reduce((sum, { bytes }) => sum + bytes, 0);

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** In powers of 1,000, with at most one decimal: `1.2 MB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
