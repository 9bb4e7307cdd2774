/** Non-functional requirements and their phrasings: table 1 of the paper, or a user's own. */
import published from '../../data/robunfr/dimensions.json' with { type: 'json' };

export interface Dimension {
  /** In the names of variants: `design-01`. */
  readonly name: string;
  /** Ways to ask for the same, as an order without a full stop. */
  readonly phrasings: readonly string[];
}

/** What a spec may say: a published dimension by name, one with phrasings of its own, or a published one with further phrasings. */
export type WantedDimension =
  | string
  | { readonly name: string; readonly phrasings: readonly string[] }
  | { readonly name: string; readonly add: readonly string[] };

/** Design, readability, reliability and performance, ten phrasings each. */
export const publishedDimensions: readonly Dimension[] = published.dimensions;

/** The dimensions that a spec asks for, in its order. Throws where a name is unknown or taken twice, or a phrasing stands twice. */
export function dimensionsOf(wanted: readonly WantedDimension[]): Dimension[] {
  const dimensions = wanted.map(dimensionOf);
  for (const [index, { name, phrasings }] of dimensions.entries()) {
    if (dimensions.findIndex((other) => other.name === name) !== index) throw new Error(`dimension ${name} stands twice; name it once`);
    const twice = phrasings.find((phrasing, place) => phrasings.indexOf(phrasing) !== place);
    if (twice !== undefined) throw new Error(`dimension ${name}: the phrasing '${twice}' stands twice; leave one out`);
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
  throw new Error(`dimension ${name} is none of ${names}; give it phrasings to make it your own`);
}
