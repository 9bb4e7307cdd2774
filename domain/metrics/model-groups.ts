/** Groups of models by size. */

export const sizeGroups = ['tiny', 'small', 'medium', 'large'] as const;
export type SizeGroup = (typeof sizeGroups)[number];

/** tiny < 3, small < 10, medium < 20 billion parameters, large from there. */
export const sizeGroupOf = (sizeB: number): SizeGroup =>
  sizeB < 3 ? 'tiny' : sizeB < 10 ? 'small' : sizeB < 20 ? 'medium' : 'large';

/** Facts about a model, stated in the spec. */
export interface ModelFacts {
  readonly model: string;
  readonly family: string | null;
  /** Parameters, 1e9. */
  readonly sizeB: number | null;
}

/** The model's group by size or family; null if the spec does not say. */
export const groupOf = ({ family, sizeB }: Omit<ModelFacts, 'model'>, by: 'size' | 'family'): string | null =>
  by === 'family' ? family : sizeB === null ? null : sizeGroupOf(sizeB);

/** The groups that occur: sizes from tiny to large, families by name. */
export function groupsOf(models: readonly Omit<ModelFacts, 'model'>[], by: 'size' | 'family'): string[] {
  const there = new Set(models.flatMap((facts) => groupOf(facts, by) ?? []));
  return by === 'size'
    ? sizeGroups.filter((group) => there.has(group))
    : [...there].toSorted((a, b) => (a < b ? -1 : 1));
}
