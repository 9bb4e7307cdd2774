/** What a study measures, each quantity on the sides that have a value for it. */
import type { Side } from '../../analysis/gate/compared.ts';
import type { Measured, Place } from '../../analysis/multiverse/measured.ts';

type Sides = readonly [Side, ...Side[]];

/** By quantity, the places of the sides with a value of any task, in their order. */
export type KnownPlaces = ReadonlyMap<string, readonly number[]>;

export interface OnSides {
  readonly sides: Sides;
  readonly measured: readonly Measured[];
}

/**
 * All sides with what they share. A quantity of which they share no task, since some have no value at all, is that of
 * the other sides if these are two or more: they are read again, once for all quantities that the same sides have.
 */
export async function onSidesWithValues(
  read: (sides: Sides) => Promise<readonly Measured[]>,
  all: Sides,
  known: KnownPlaces,
): Promise<OnSides[]> {
  const lacking = new Map([...known].filter(([, places]) => places.length > 1 && places.length < all.length));
  const measured = (await read(all)).filter((one) => isShared(one) || !lacking.has(quantityName(one)));
  for (const one of measured) lacking.delete(quantityName(one));
  const found: OnSides[] = [{ sides: all, measured }];
  for (const own of Map.groupBy(lacking, ([, places]) => places.join()).values()) {
    const [first, ...others] = (own[0]?.[1] ?? []).flatMap((place) => all[place] ?? []);
    if (first === undefined) continue;
    const names = new Set(own.map(([name]) => name));
    const again = await read([first, ...others]);
    found.push({ sides: [first, ...others], measured: again.filter((one) => names.has(quantityName(one))) });
  }
  return found;
}

const isShared = (one: Measured): boolean => one.kind === 'effect' || (one.tasks.values[0] ?? []).length > 0;

export const quantityName = ({ metric, dimension, workflow }: Omit<Place, 'unit'>): string =>
  JSON.stringify([metric, dimension, workflow]);
