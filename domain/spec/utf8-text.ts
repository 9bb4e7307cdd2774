/** Decodes the bytes of a spec. */
import { InputError } from '../errors.ts';

/** Skips a byte order mark. Throws `InputError` with line and column of the first byte that is not UTF-8. */
export function utf8Text(bytes: Uint8Array, file: string): string {
  if (isUtf16(bytes)) throw new InputError('is UTF-16; save it as UTF-8', { file, line: 1, column: 1 });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const lines = new TextDecoder().decode(bytes.subarray(0, validLength(bytes)), { stream: true }).split('\n');
    const column = (lines.at(-1)?.length ?? 0) + 1;
    throw new InputError('is not UTF-8 from here on; save it as UTF-8', { file, line: lines.length, column });
  }
}

const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

/** Length of the longest valid beginning, found by bisection; a character cut off at its end counts as valid. */
function validLength(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isUtf8(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
