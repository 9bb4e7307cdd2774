import { expect, test } from 'vitest';
import { explained } from '../../../analysis/report/cells.ts';

test('R² far below 0 is a dash that says what it means, and is sorted by its value', () => {
  expect(explained(-1683.6, { lo: -2e6, hi: 0.2 })).toEqual({ text: '– (worse than the mean)', value: -1683.6 });
  expect(explained(-0.4, { lo: -30, hi: 0.5 })).toEqual({ text: '-0.400', value: -0.4, under: ['below -1 – 0.500'] });
  expect(explained(0.91, { lo: 0.8, hi: 0.95 })).toEqual({ text: '0.910', value: 0.91, under: ['0.800 – 0.950'] });
  expect(explained(-1, null).text).toBe('-1.000');
  expect(explained(undefined, null)).toEqual({ text: '–', value: null });
});
