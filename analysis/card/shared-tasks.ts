/** The tasks that two models share, where models have different ones. */

export interface SharedTasks {
  /** The same for the same tasks. */
  readonly name: string;
  readonly tasks: readonly string[];
}

/** @param models by model, its tasks */
export function sharedTasks(
  models: readonly ReadonlyMap<string, unknown>[],
): (model: number, other: number) => SharedTasks {
  // Most models have the same tasks: each two lists are compared once.
  const lists: ReadonlyMap<string, unknown>[] = [];
  const listOf = models.map((own) => {
    const place = lists.findIndex((list) => list.size === own.size && [...own.keys()].every((task) => list.has(task)));
    return place >= 0 ? place : lists.push(own) - 1;
  });
  const names = new Map<string, SharedTasks>();
  const found = new Map<string, SharedTasks>();
  const sharedOf = (list: number, other: number): SharedTasks => {
    const [first, second] = [lists[list] ?? new Map(), lists[other] ?? new Map()];
    const tasks = [...first.keys()].filter((task) => second.has(task)).toSorted((a, b) => (a < b ? -1 : 1));
    const text = JSON.stringify(tasks);
    const shared = names.get(text) ?? { name: String(names.size), tasks };
    names.set(text, shared);
    return shared;
  };
  return (model, other) => {
    const pair = [listOf[model] ?? 0, listOf[other] ?? 0].toSorted((a, b) => a - b);
    const known = found.get(pair.join());
    if (known !== undefined) return known;
    const shared = sharedOf(pair[0] as number, pair[1] as number);
    found.set(pair.join(), shared);
    return shared;
  };
}
