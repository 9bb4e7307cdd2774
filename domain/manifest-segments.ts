/**
 * Segments of a manifest: files of parts that never change. A run of few parts has none. Together with the root they
 * list what one file would, but only the root, which is small, is written again when parts are published.
 */
import type { Manifest, ManifestFile, ManifestSegment } from '../schemas/manifest.ts';
import { CorruptionError } from './errors.ts';
import { sha256 } from './ids.ts';

export type ManifestPart = Manifest['parts'][number];

/** Of the root, and of a segment; see `weightOf`. */
const mostParts = 1_000;
/** Pages whose numbers of rows take as much room as a part. */
const pagesPerPart = 8;

/** A merged part weighs more: it lists its pages. */
const weightOf = ({ pages }: ManifestPart): number =>
  1 + (pages === undefined ? 0 : Object.keys(pages).length / pagesPerPart);

/** Segments that this process has read or written, by their SHA-256: their bytes never change. */
const known = new Map<string, readonly ManifestPart[]>();
const mostKnown = 64;

function remember(hash: string, parts: readonly ManifestPart[]): readonly ManifestPart[] {
  known.delete(hash);
  known.set(hash, parts);
  const [oldest] = known.keys();
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  return parts;
}

export const knownSegment = ({ sha256: hash }: ManifestSegment): readonly ManifestPart[] | undefined => known.get(hash);

/**
 * Throws `CorruptionError` if the text is not that of the segment.
 * @param folder of the run @param text null if there is no such file
 */
export function parseSegment(folder: string, segment: ManifestSegment, text: string | null): readonly ManifestPart[] {
  const file = `${folder}/${segment.file}`;
  const remedy = `run \`evenkeel verify ${nameOf(folder)} --repair\` to make it again from the ledger`;
  if (text === null) throw new CorruptionError(file, 'the manifest lists this file, but it is missing', remedy);
  if (sha256(text) !== segment.sha256) throw new CorruptionError(file, `its SHA-256 is not ${segment.sha256}`, remedy);
  // Not checked further: the bytes are those that the program wrote, and a quarter of a million pages take a second.
  return remember(segment.sha256, JSON.parse(text) as ManifestPart[]);
}

/** Pure code knows no paths of the machine: the last name of either kind. */
const nameOf = (folder: string): string => folder.split(/[\\/]/).at(-1) ?? folder;

/** The manifest with all parts. @param segments theirs, in their order */
export function joinedManifest(root: ManifestFile, segments: readonly (readonly ManifestPart[])[]): Manifest {
  const { segments: _files, ...manifest } = root;
  return {
    ...manifest,
    formatVersion: 1,
    parts: segments.length === 0 ? root.parts : [...segments.flat(), ...root.parts],
  };
}

/** A segment to write before its root. */
export interface NewSegment {
  readonly segment: ManifestSegment;
  readonly text: string;
}

/**
 * The root and the new segments of a manifest. A segment stays as long as all its parts count; what is left of others
 * is in the root, or in new ones.
 * @param old segments of the manifest that is replaced @param most weight of the root, and of a segment
 */
export function cutManifest(
  manifest: Manifest,
  old: readonly ManifestSegment[],
  most = mostParts,
): { readonly root: ManifestFile; readonly added: readonly NewSegment[] } {
  const left = new Map(manifest.parts.map((part) => [part.path, part]));
  const kept = old.filter((segment) => {
    const parts = known.get(segment.sha256);
    if (parts === undefined || !parts.every((part) => isEqual(part, left.get(part.path)))) return false;
    for (const { path } of parts) left.delete(path);
    return true;
  });
  const { inRoot, added } = cutParts([...left.values()], most);
  const segments = [...kept, ...added.map(({ segment }) => segment)];
  const root =
    segments.length === 0
      ? { ...manifest, formatVersion: 1 as const }
      : { ...manifest, formatVersion: 2 as const, segments };
  return { root: { ...root, parts: inRoot }, added };
}

const isEqual = (one: ManifestPart, other: ManifestPart | undefined): boolean =>
  one === other || (other !== undefined && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));

const sorted = (part: ManifestPart): unknown[] => Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Merged parts go into segments first: single ones are soon in a merged part, and no longer count. */
function cutParts(parts: readonly ManifestPart[], most: number): { inRoot: ManifestPart[]; added: NewSegment[] } {
  const added: NewSegment[] = [];
  const inOrder = [
    ...parts.filter(({ pages }) => pages !== undefined),
    ...parts.filter(({ pages }) => pages === undefined),
  ];
  let weight = inOrder.reduce((sum, part) => sum + weightOf(part), 0);
  let from = 0;
  while (weight > most) {
    let end = from;
    for (let room = most; end < inOrder.length && room > 0; end += 1) room -= weightOf(inOrder[end] as ManifestPart);
    const own = inOrder.slice(from, end);
    added.push(newSegment(own));
    weight -= own.reduce((sum, part) => sum + weightOf(part), 0);
    from = end;
  }
  const cut = new Set(inOrder.slice(0, from));
  return { inRoot: parts.filter((part) => !cut.has(part)), added };
}

function newSegment(parts: readonly ManifestPart[]): NewSegment {
  const text = JSON.stringify(parts);
  const hash = sha256(text);
  remember(hash, parts);
  return { segment: { file: `${segmentFolder}/${hash.slice(0, 12)}.json`, sha256: hash, parts: parts.length }, text };
}

export const segmentFolder = 'segments';
