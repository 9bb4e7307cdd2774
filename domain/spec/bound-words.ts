import { counted } from '../counted.ts';

/** Zod's message on a value out of bounds, in plain words: `must be at least 1`, `must have at most 200 characters`. */
export const boundWords = (message: string): string =>
  message
    .replace(/^Too (?:small|big): /, '')
    .replace(/^expected \w+ to be ([<>]=?)/, (_, sign: string) => `must be ${bounds[sign] ?? sign} `)
    .replace(
      /^expected \w+ to have ([<>]=?)(\d+) (item|character)s$/,
      (_, sign: string, count: string, unit: string) =>
        `must have ${bounds[sign] ?? sign} ${counted(Number(count), unit)}`,
    );

const bounds: Readonly<Record<string, string>> = { '>=': 'at least', '<=': 'at most', '>': 'above', '<': 'below' };
