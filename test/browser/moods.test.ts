/** PromptSE's part of the report in Chromium: figures, tables, phone, dark and paper. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { collectReport } from '../../studies/report.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { writeMoodsRun } from '../analysis/report/moods-run.ts';
import { executablePath, needsChromium, openBrowser, openPage } from './browser.ts';
import { contrasts } from './contrast.ts';

let folder = '';
let address = '';
let browser: Browser;

beforeAll(async () => {
  if (executablePath === null) return;
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-moods-'));
  await writeMoodsRun(folder);
  const database = await openRun(folder);
  const file = join(folder, 'report.html');
  await writeFile(file, await renderReport(await collectReport(database), await collectExamples(database)));
  database.close();
  address = `${pathToFileURL(file).href}#page-wording`;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (folder !== '') await rm(folder, { recursive: true });
});

describe.skipIf(executablePath === null)(`PromptSE in Chromium${needsChromium}`, () => {
  test('has the four questions, each with figures, and complains of nothing', async () => {
    const { page, complaints, requests } = await openPage(browser, address);
    const sections = page.locator('#stability section:has(> h4)', {
      has: page.locator('> h4', { hasText: /^RQ[1-4]: / }),
    });
    expect(await sections.count()).toBe(4);
    // RQ1: two of each method; RQ2: three; RQ3: one; RQ4: three, and the answers of two models.
    const figures = await Promise.all((await sections.all()).map((section) => section.locator('figure svg').count()));
    expect(figures).toEqual([4, 3, 1, 5]);
    expect([complaints, requests]).toEqual([[], [address.split('#')[0]]]);
  });

  test('the heat map has 0.950 for what is calm and 0.800 for what is anxious', async () => {
    const { page } = await openPage(browser, address);
    await page.evaluate(openFolds);
    const heat = page.locator('h4', { hasText: '1 − ECE' }).locator('xpath=following-sibling::div[1]');
    expect(await heat.locator('thead th').allInnerTexts()).toEqual(['Model', 'original', 'anxious', 'calm']);
    const cells = await heat.locator('tbody tr', { hasText: 'touchy' }).locator('td').allInnerTexts();
    const [name, ...values] = cells.map((text) => text.split('\n', 1)[0]);
    expect([name, ...values]).toEqual(['touchy', '0.950', '0.800', '0.950']);
    for (const cell of cells.slice(1)) expect(cell).toMatch(/^0\.\d{3}\n0\.\d{3} – 0\.\d{3}$/);
  });

  test('at 1180 px every table is as wide as the page: nothing has to be scrolled to be seen', async () => {
    const { page } = await openPage(browser, address, { viewport: { width: 1180, height: 900 } });
    await page.evaluate(openFolds);
    const hidden = await page
      .locator('#stability .wide')
      .evaluateAll((boxes) =>
        boxes
          .filter((box) => box.scrollWidth > box.clientWidth)
          .map((box) => `${box.scrollWidth - box.clientWidth} px: ${box.querySelector('tr')?.textContent}`),
      );
    expect(hidden).toEqual([]);
  });

  test('on a phone nothing scrolls sideways', async () => {
    const { page } = await openPage(browser, address, { viewport: { width: 390, height: 844 } });
    await page.evaluate(openFolds);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test.each(['light', 'dark'] as const)(
    'in %s and on paper every text has a contrast of 4.5 at least',
    async (colorScheme) => {
      const { page } = await openPage(browser, address, { colorScheme });
      await page.evaluate(openFolds);
      const low = async () => (await contrasts(page)).filter(({ ratio }) => ratio < 4.5);
      expect(await low()).toEqual([]);
      await page.emulateMedia({ media: 'print', colorScheme });
      expect(await low()).toEqual([]);
      expect(await page.locator('#stability figure:visible').count()).toBe(13);
    },
  );
});

const openFolds = "for (const fold of document.querySelectorAll('#stability details')) fold.open = true";
