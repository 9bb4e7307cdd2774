/** A non-empty group of rows. */
export type Group<T> = readonly [T, ...T[]];

/** Groups in order of their first rows. @param key the values that the rows of a group share */
export const groupsBy = <T>(rows: readonly T[], key: (row: T) => readonly unknown[]): Group<T>[] =>
  [...Map.groupBy(rows, (row) => JSON.stringify(key(row))).values()].flatMap(([first, ...rest]) =>
    first === undefined ? [] : [[first, ...rest] as const],
  );
