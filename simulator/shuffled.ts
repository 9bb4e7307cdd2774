/** The items in random order. @param draw gives uniform numbers in [0, 1) */
export const shuffled = <Item>(items: readonly Item[], draw: () => number): Item[] =>
  items
    .map((item) => ({ item, rank: draw() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
