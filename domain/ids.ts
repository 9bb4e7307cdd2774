/** Names that are made, never chosen: hashes of canonical JSON, and slugs that every file system keeps apart. */
import { hash } from 'node:crypto';

/** Hex SHA-256 of UTF-8 text. */
export const sha256 = (text: string | Uint8Array): string => hash('sha256', text, 'hex');

/** JSON with keys sorted by code unit and absent values left out, so that equal records have equal text. Throws on NaN and infinities. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`canonical JSON holds finite numbers only, got ${value}`);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  const record = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(record).filter((name) => record[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(record[name])}`)
    .join(',')}}`;
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
