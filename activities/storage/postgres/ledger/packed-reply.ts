/** Stored bodies as the server's functions give and take them: base64 and hex. */
import { unpackReply } from '../../ledger/bodies/stored-reply.ts';
import type { StoredBody } from '../../ledger/bodies/stored-body.ts';
import type { StoredReply } from '../../ledger/records.ts';

export interface PackedBody {
  readonly body: string;
  readonly sha256: string;
}

export interface PackedReply extends PackedBody {
  readonly origin: string | null;
}

export const packedBody = ({ body, sha256 }: StoredBody) => ({
  body: Buffer.from(body).toString('base64'),
  hash: Buffer.from(sha256).toString('hex'),
});

export const unpackedBody = ({ body, sha256 }: PackedBody): StoredBody => ({
  body: Buffer.from(body, 'base64'),
  sha256: Buffer.from(sha256, 'hex'),
});

/** Throws `CorruptionError` if the stored reply does not match its hash. */
export const unpackedReply = (callKey: string, packed: PackedReply): StoredReply => ({
  callKey,
  reply: unpackReply(unpackedBody(packed), `reply to call ${callKey}`),
  origin: packed.origin,
});

/** Throws for anything but a hex SHA-256. */
export function checkedKey(key: string): string {
  if (!/^[0-9a-f]{64}$/.test(key)) throw new Error(`a key must be 64 lower-case hex digits, got "${key}"`);
  return key;
}
