/** Faults of a spec and their places in its text. */
import { isMap, isScalar, type Document, type LineCounter, type Node } from 'yaml';
import { InputError } from '../errors.ts';

export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly rule: string;
  /** True when the key itself is at fault, not its value. */
  readonly atKey?: boolean;
}

/** A parsed spec with the places of its values. */
export interface SpecText {
  readonly file: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

/** As many as fit on a screen: a file that is not a spec at all has thousands. */
const mostFaults = 30;

/** An error with one line per fault, `FILE:LINE:COLUMN  PATH: RULE`, and the number of those beyond the first 30. */
export function refusal(faults: readonly Fault[], text: SpecText): InputError {
  const lines = [...new Set(faults.slice(0, mostFaults).map((fault) => faultLine(fault, text)))];
  const more = faults.length - mostFaults;
  return new InputError([...lines, ...(more > 0 ? [`${more} more faults`] : [])].join('\n'));
}

function faultLine({ path, rule, atKey }: Fault, { file, document, lines }: SpecText): string {
  const { line, col } = lines.linePos(position(document, path, atKey ?? false));
  const field = path.length === 0 ? '' : `${path.map(String).join('.')}: `;
  return `${file}:${line}:${col}  ${field}${rule}`;
}

/** Offset of the value, of the key where the key is at fault, or of the nearest node above that exists. */
export function position(document: Document, path: readonly PropertyKey[], atKey: boolean): number {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    const parent = length === 1 ? document.contents : document.getIn(part.slice(0, -1), true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(part.at(-1)))
      : undefined;
    const node = (atKey && length === path.length ? pair?.key : undefined) ?? document.getIn(part, true) ?? pair?.key;
    const start = (node as Node | undefined)?.range?.[0];
    if (start !== undefined) return start;
  }
  return document.contents?.range?.[0] ?? 0;
}

/** A number as the text has it; undefined where there is none. */
export function numberText(document: Document, path: readonly PropertyKey[]): string | undefined {
  const node = document.getIn(path, true);
  return isScalar(node) && typeof node.value === 'number' ? node.source : undefined;
}
