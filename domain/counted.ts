/** A count with its noun: `1 task`, `2 tasks`, `1,200 replies`. @param many the plural, if not with an s */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
