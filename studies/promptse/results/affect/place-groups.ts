/** Groups of a model's prompts and samples by how the prompt was worded. */

export type GroupKind = 'all' | 'original' | 'variants' | 'emotion' | 'quadrant' | 'distance';

export interface Place {
  /** Null for the original, and for imported variants without an emotion. */
  readonly emotion: string | null;
  /** Null without an emotion, and for one whose valence or arousal is 0. */
  readonly quadrant: string | null;
  /** 0 for the original. */
  readonly distance: number;
}

export interface PlaceGroup {
  readonly by: GroupKind;
  readonly name: string;
  readonly belongs: (place: Place) => boolean;
}

/** The original, all variants, then the distances, emotions and quadrants that occur. */
export function placeGroups(places: readonly Place[]): PlaceGroup[] {
  const variants = places.filter(({ distance }) => distance > 0);
  const each = (by: GroupKind, of: (place: Place) => string | null): PlaceGroup[] =>
    [...new Set(variants.flatMap((place) => of(place) ?? []))]
      .toSorted((a, b) => (a < b ? -1 : 1))
      .map((name) => ({ by, name, belongs: (place) => place.distance > 0 && of(place) === name }));
  return [
    { by: 'original', name: 'original', belongs: ({ distance }) => distance === 0 },
    { by: 'variants', name: 'all variants', belongs: ({ distance }) => distance > 0 },
    ...each('distance', ({ distance }) => String(distance)),
    ...each('emotion', ({ emotion }) => emotion),
    ...each('quadrant', ({ quadrant }) => quadrant),
  ];
}
