/** The pages of the report in Chromium: links, addresses, the browser's back, and a page without script. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { collectReport } from '../../studies/report.ts';
import { writeHandRun } from '../analysis/report/hand-run.ts';
import { executablePath, needsChromium, openBrowser, openPage } from './browser.ts';

let folder = '';
let address = '';
let browser: Browser;

beforeAll(async () => {
  if (executablePath === null) return;
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-pages-'));
  await writeHandRun(folder);
  const database = await openRun(folder);
  const file = join(folder, 'report.html');
  await writeFile(file, await renderReport(await collectReport(database), await collectExamples(database)));
  database.close();
  address = pathToFileURL(file).href;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (folder !== '') await rm(folder, { recursive: true });
});

const shownPages = (page: Page): Promise<string[]> =>
  page.locator('[data-page]:visible').evaluateAll((pages) => pages.map(({ id }) => id));
const scrolled = (page: Page) => page.evaluate<number>('scrollY');

describe.skipIf(executablePath === null)(`the pages of the report${needsChromium}`, () => {
  test('one is shown at a time, its link is marked, and the bar stays in sight', async () => {
    const { page } = await openPage(browser, address);
    expect(await shownPages(page)).toEqual(['page-overview']);
    const bar = page.getByRole('navigation', { name: 'Pages' });
    for (const link of await bar.getByRole('link').all()) {
      await link.click();
      const id = new URL(page.url()).hash.slice(1);
      // The page changes after its address.
      const shown = async () => [await shownPages(page), await bar.locator('[aria-current=page]').allInnerTexts()];
      await expect.poll(shown).toEqual([[id], [await link.innerText()]]);
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      expect(await bar.boundingBox()).toMatchObject({ y: 0 });
    }
  });

  test('an address inside a page opens that page and what is folded around it, in sight below the bar', async () => {
    const { page } = await openPage(browser, `${address}#loops/how-tasks-are-lost`);
    const target = page.locator('[id="survival"], [id="loops/how-tasks-are-lost"]').first();
    await page.goto(`${address}#survival`);
    expect(await shownPages(page)).toEqual(['page-loops']);
    const box = await target.boundingBox();
    expect(box?.y).toBeGreaterThan(40);
    expect(box?.y).toBeLessThan(120);
    await page.goto(`${address}#asl`);
    expect(await page.locator('#asl').getAttribute('open')).toBe('');
  });

  test('back leads to the page before, at the place where it was left', async () => {
    const { page } = await openPage(browser, address);
    const bar = page.getByRole('navigation', { name: 'Pages' });
    await bar.getByRole('link', { name: 'Loops' }).click();
    await page.evaluate('scrollTo(0, 300)');
    await expect.poll(() => scrolled(page)).toBe(300);
    await bar.getByRole('link', { name: 'Method' }).click();
    await expect.poll(async () => [await shownPages(page), await scrolled(page)]).toEqual([['page-method'], 0]);
    await page.goBack();
    await expect.poll(async () => [await shownPages(page), await scrolled(page)]).toEqual([['page-loops'], 300]);
    await page.goBack();
    await expect.poll(() => shownPages(page)).toEqual(['page-overview']);
  });

  test('every address in the page is unique, and every link leads to one', async () => {
    const { page } = await openPage(browser, address);
    expect(await page.evaluate(doubleIds)).toEqual([]);
    expect(await page.evaluate(deadLinks)).toEqual([]);
  });

  test('without script, and on paper, all pages stand one after another', async () => {
    const { page } = await openPage(browser, address, { javaScriptEnabled: false });
    const all = await shownPages(page);
    expect(all.length).toBeGreaterThanOrEqual(4);
    const { page: printed } = await openPage(browser, `${address}#page-loops`);
    await printed.emulateMedia({ media: 'print' });
    expect([all[0], ...(await shownPages(printed))]).toContain('page-method');
  });
});

const doubleIds = `Object.entries(Object.groupBy(document.querySelectorAll('[id]'), ({ id }) => id))
  .filter(([, all]) => all.length > 1).map(([id]) => id)`;
const deadLinks = `[...document.querySelectorAll('a[href^="#"]:not([href^="#x-"])')]
  .map(({ hash }) => decodeURIComponent(hash.slice(1)).split('?')[0]).filter((id) => !document.getElementById(id))`;
