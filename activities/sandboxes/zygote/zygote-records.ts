/** Cuts what a program's process wrote into records (sandbox/container/child.py). */

export interface ChildRecord {
  /** What it is, one character: `v` for a value. */
  readonly tag: string;
  readonly ns: number;
  readonly body: string;
}

export interface ChildRecords {
  readonly records: readonly ChildRecord[];
  /** Something in between does not begin like a record of this run: the program wrote it. */
  readonly isForged: boolean;
}

/** A tag, the run's nonce, four bytes of length, eight of nanoseconds. */
const nonceBytes = 16;
const headerBytes = 1 + nonceBytes + 4 + 8;

/**
 * @param bytes the run's nonce, then what the process wrote
 * @param end bytes after the nonce that count
 */
export function cutRecords(bytes: Buffer, end: number): ChildRecords {
  const nonce = bytes.subarray(0, nonceBytes);
  const last = Math.min(bytes.length, nonceBytes + end);
  const records: ChildRecord[] = [];
  let at = nonceBytes;
  while (at + headerBytes <= last) {
    if (bytes.compare(nonce, 0, nonceBytes, at + 1, at + 1 + nonceBytes) !== 0) return { records, isForged: true };
    const body = at + headerBytes;
    const next = body + bytes.readUInt32LE(at + 1 + nonceBytes);
    if (next > last) break;
    const ns = bytes.readUInt32LE(at + 21) + bytes.readUInt32LE(at + 25) * 2 ** 32;
    records.push({ tag: String.fromCharCode(bytes[at] as number), ns, body: bytes.toString('utf8', body, next) });
    at = next;
  }
  return { records, isForged: false };
}
