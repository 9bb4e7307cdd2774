/** Non-functional requirements and their phrasings: from table 1 of the paper, or defined by the user. */
import published from '../../data/robunfr/dimensions.json' with { type: 'json' };

export interface Dimension {
  /** Used in the names of variants, such as `design-01`. */
  readonly name: string;
  /** Different wordings of the same requirement, as instructions without a full stop. */
  readonly phrasings: readonly string[];
}

/**
 * What a spec may hold: the name of a published dimension, a new dimension with phrasings, or a published one with
 * additional phrasings.
 */
export type WantedDimension =
  | string
  | { readonly name: string; readonly phrasings: readonly string[] }
  | { readonly name: string; readonly add: readonly string[] };

/** Design, readability, reliability and performance, ten phrasings each. */
export const publishedDimensions: readonly Dimension[] = published.dimensions;

/**
 * The dimensions of a spec, in its order. Throws for an unknown or duplicate name, or a duplicate phrasing.
 */
export function dimensionsOf(wanted: readonly WantedDimension[]): Dimension[] {
  const dimensions = wanted.map(dimensionOf);
  for (const [index, { name, phrasings }] of dimensions.entries()) {
    if (dimensions.findIndex((other) => other.name === name) !== index)
      throw new Error(`duplicate dimension ${name}; name each dimension once`);
    const twice = phrasings.find((phrasing, place) => phrasings.indexOf(phrasing) !== place);
    if (twice !== undefined) throw new Error(`dimension ${name}: duplicate phrasing '${twice}'; remove one`);
  }
  return dimensions;
}

function dimensionOf(wanted: WantedDimension): Dimension {
  if (typeof wanted === 'string') return publishedDimension(wanted);
  if ('phrasings' in wanted) return wanted;
  return { name: wanted.name, phrasings: [...publishedDimension(wanted.name).phrasings, ...wanted.add] };
}

function publishedDimension(name: string): Dimension {
  const found = publishedDimensions.find((dimension) => dimension.name === name);
  if (found !== undefined) return found;
  const names = publishedDimensions.map((dimension) => dimension.name).join(', ');
  throw new Error(`unknown dimension ${name}; use one of ${names}, or give it phrasings to define a new one`);
}
