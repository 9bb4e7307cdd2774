import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

export interface Contrast {
  readonly text: string;
  /** From 1 to 21, as WCAG computes it. */
  readonly ratio: number;
}

const script = readFileSync(new URL('./contrast.js', import.meta.url), 'utf8');

/** Every text that can be seen, lowest contrast first. */
export const contrasts = (page: Page): Promise<Contrast[]> => page.evaluate<Contrast[]>(script);
