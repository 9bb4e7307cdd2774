/**
 * Texts from endpoints and errors, as PostgreSQL can hold them: it refuses the character NUL. A lone surrogate becomes
 * U+FFFD, as in every UTF-8 text.
 */

/** A character that no text needs; doubled where one has it nevertheless. */
const mark = '\ufdd0';
const forNul = `${mark}0`;
const forMark = `${mark}${mark}`;

export function toStored<T extends string | null>(text: T): T {
  if (text === null) return text;
  const whole = text.toWellFormed();
  if (!whole.includes('\0') && !whole.includes(mark)) return whole as T;
  return whole.replaceAll(mark, forMark).replaceAll('\0', forNul) as T;
}

export function fromStored<T extends string | null>(text: T): T {
  if (text === null || !text.includes(mark)) return text;
  return text.replaceAll(/\ufdd0(\ufdd0|0)/g, (_, kind: string) => (kind === '0' ? '\0' : mark)) as T;
}
