/** Generated names: hashes of canonical JSON, and slugs that stay distinct on every file system. */
import { hash } from 'node:crypto';

/** Hex SHA-256 of UTF-8 text. */
export const sha256 = (text: string | Uint8Array): string => hash('sha256', text, 'hex');

/** Up to this many names are sorted by insertion. */
const fewNames = 8;

/**
 * JSON with keys sorted by code unit and without undefined values, so that equal records have equal text.
 * Throws on NaN and infinities.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Error(`canonical JSON holds finite numbers only, got ${value}`);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return Array.isArray(value) ? canonicalList(value) : canonicalRecord(value as Readonly<Record<string, unknown>>);
}

// Called for each request, so text is appended directly, without lists of pieces.
function canonicalList(values: readonly unknown[]): string {
  let text = '';
  for (const value of values) text += `${text === '' ? '' : ','}${canonicalJson(value ?? null)}`;
  return `[${text}]`;
}

function canonicalRecord(record: Readonly<Record<string, unknown>>): string {
  let text = '';
  for (const name of sorted(Object.keys(record))) {
    const value = record[name];
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}

/** By code unit. The few names of most records are sorted in place, without the lists that `sort` allocates. */
function sorted(names: string[]): string[] {
  if (names.length > fewNames) return names.sort();
  for (const [index, name] of names.entries()) {
    let at = index;
    for (; at > 0 && (names[at - 1] as string) > name; at -= 1) names[at] = names[at - 1] as string;
    names[at] = name;
  }
  return names;
}

/** Lower-case ASCII plus six hex digits of the id's hash: ids contain `/`, and some file systems ignore case. */
export function slug(id: string): string {
  const readable = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 48);
  return `${readable === '' ? 'x' : readable}-${sha256(id).slice(0, 6)}`;
}
