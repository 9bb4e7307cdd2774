/** How many programs run at the same time, and which of those that wait comes next. */
export interface Places {
  /** @param goesFirst before all others that wait */
  run<T>(goesFirst: boolean, work: () => Promise<T>): Promise<T>;
}

export function createPlaces(most: number): Places {
  const first: (() => void)[] = [];
  const others: (() => void)[] = [];
  let free = most;
  return {
    async run(goesFirst, work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => (goesFirst ? first : others).push(resolve));
      try {
        return await work();
      } finally {
        const next = first.shift() ?? others.shift();
        // Whoever waits takes the place over.
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
