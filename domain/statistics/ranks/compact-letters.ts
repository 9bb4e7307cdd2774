/** Compact letters: a short way to say which of many pairs differ. */

/** A set of items, one bit each. */
type Bits = Uint32Array;

/**
 * Groups of items such that two items share a group exactly if they do not differ (Piepho 2004: insert and absorb).
 * One group holds all items at first. Each pair that differs splits every group with both into one without the first
 * and one without the second; a group inside another is absorbed. Then groups that add no pair are dropped, smallest
 * first. Items and groups are in order; groups by their first items. Example: of three items only 0 and 2 differ: the
 * groups are [0, 1] and [1, 2], the letters a, ab, b.
 */
export function compactGroups(items: number, differ: (a: number, b: number) => boolean): number[][] {
  if (items === 0) return [];
  let groups: Bits[] = [allOf(items)];
  for (let a = 0; a < items; a += 1)
    for (let b = a + 1; b < items; b += 1) if (differ(a, b)) groups = inserted(groups, a, b);
  return needed(groups, items)
    .map((group) => membersOf(group, items))
    .toSorted(byMembers);
}

/** The groups of each item, as indices into the list of groups. */
export function groupsByItem(groups: readonly (readonly number[])[], items: number): number[][] {
  const own: number[][] = Array.from({ length: items }, () => []);
  for (const [index, group] of groups.entries()) for (const item of group) own[item]?.push(index);
  return own;
}

function allOf(items: number): Bits {
  const bits = new Uint32Array(Math.ceil(items / 32));
  for (let item = 0; item < items; item += 1) add(bits, item);
  return bits;
}

const add = (bits: Bits, item: number): void => {
  bits[item >>> 5] = (bits[item >>> 5] as number) | (1 << (item & 31));
};
const holds = (bits: Bits, item: number): boolean => (((bits[item >>> 5] as number) >>> (item & 31)) & 1) === 1;

function without(bits: Bits, item: number): Bits {
  const less = bits.slice();
  less[item >>> 5] = (less[item >>> 5] as number) & ~(1 << (item & 31));
  return less;
}

const isWithin = (small: Bits, large: Bits): boolean =>
  small.every((word, index) => (word & ~(large[index] as number)) === 0);

/** No group contains another before, so only the new ones can lie within others, and only within those not split. */
function inserted(groups: readonly Bits[], a: number, b: number): Bits[] {
  const isSplit = (group: Bits): boolean => holds(group, a) && holds(group, b);
  const kept = groups.filter((group) => !isSplit(group));
  const halves = groups.filter(isSplit).flatMap((group) => [without(group, b), without(group, a)]);
  const fresh = halves.filter((half) => !kept.some((group) => isWithin(half, group)));
  return [...kept, ...fresh];
}

/** Drops groups whose items and pairs all lie in other groups too, smallest first. */
function needed(groups: readonly Bits[], items: number): Bits[] {
  const covers = new Uint32Array(items * items);
  const forPairs = (group: Bits, act: (place: number) => void): void => {
    const members = membersOf(group, items);
    for (const [index, a] of members.entries()) for (const b of members.slice(index)) act(a * items + b);
  };
  const count = (group: Bits, by: number): void =>
    forPairs(group, (place) => {
      covers[place] = (covers[place] as number) + by;
    });
  for (const group of groups) count(group, 1);
  const isNeeded = (group: Bits): boolean => {
    let alone = false;
    forPairs(group, (place) => {
      if (covers[place] === 1) alone = true;
    });
    return alone;
  };
  const bySize = [...groups].toSorted((a, b) => membersOf(a, items).length - membersOf(b, items).length);
  return bySize.filter((group) => {
    if (isNeeded(group)) return true;
    count(group, -1);
    return false;
  });
}

const membersOf = (group: Bits, items: number): number[] =>
  Array.from({ length: items }, (_, item) => item).filter((item) => holds(group, item));

function byMembers(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((item, index) => item !== b[index]);
  return place < 0 ? a.length - b.length : (a[place] as number) - (b[place] ?? -1);
}

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Groups as text: letters, or numbers from 1 if there are more groups than letters. Three or more in a row are a range:
 * `a`, `bc`, `c-h`, `3-9 12`.
 */
export function groupText(own: readonly number[], groups: number): string {
  const isLettered = groups <= alphabet.length;
  const name = (group: number): string => (isLettered ? (alphabet[group] as string) : String(group + 1));
  const runs: number[][] = [];
  for (const group of own) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1) === group - 1) run.push(group);
    else runs.push([group]);
  }
  const texts = runs.map((run) =>
    run.length < 3
      ? run.map(name).join(isLettered ? '' : ' ')
      : `${name(run[0] as number)}-${name(run.at(-1) as number)}`,
  );
  return texts.join(isLettered && runs.every((run) => run.length < 3) ? '' : ' ');
}

/** The groups in such a text, from 0. */
export function groupsIn(text: string): number[] {
  const placeOf = (name: string): number => (/^\d/.test(name) ? Number(name) - 1 : alphabet.indexOf(name));
  return text.split(' ').flatMap((part) => {
    const [first, last] = part.split('-');
    if (first === undefined || first === '') return [];
    if (last === undefined) return /^\d/.test(first) ? [placeOf(first)] : [...first].map(placeOf);
    return Array.from({ length: placeOf(last) - placeOf(first) + 1 }, (_, step) => placeOf(first) + step);
  });
}
