/** The report of each kind of study with axe, on a phone and on paper; and its size, from a generated run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { writeLargeRun } from '../../bench/report/large-run.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { collectReport } from '../../studies/report.ts';
import { executablePath, needsChromium, openBrowser, openPage } from './browser.ts';

const kinds: readonly SpecStudy['kind'][] = [
  ...(['evaloop', 'evaloop-translation', 'promptse', 'specificity', 'robunfr-workflows', 'pass'] as const),
];

let folder = '';
let browser: Browser;

beforeAll(async () => {
  if (executablePath === null) return;
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-accessible-'));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (folder !== '') await rm(folder, { recursive: true });
});

const written = new Map<SpecStudy['kind'], Promise<string>>();
function reportOf(kind: SpecStudy['kind']): Promise<string> {
  const known = written.get(kind) ?? writeReport(kind);
  written.set(kind, known);
  return known;
}

async function writeReport(kind: SpecStudy['kind']): Promise<string> {
  const run = join(folder, kind);
  await writeLargeRun(run, { kind, models: 3, tasks: 5 });
  const database = await openRun(run);
  const file = join(folder, `${kind}.html`);
  await writeFile(file, await renderReport(await collectReport(database), await collectExamples(database)));
  database.close();
  return pathToFileURL(file).href;
}

const pagesOf = (page: Page): Promise<string[]> =>
  page
    .locator('nav.pages a')
    .evaluateAll((links) => links.map((link) => (link.getAttribute('href') ?? '').replace('#', '')));

/** What axe finds with all pages of the report shown at once. */
async function faults(address: string, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const { page } = await openPage(browser, address, { colorScheme, bypassCSP: true });
  await page.locator('.page').evaluateAll((pages) => {
    for (const one of pages) one.classList.add('shown');
  });
  await page.evaluate(axe.source);
  const found = await page.evaluate<{ impact: string; id: string; nodes: { html: string }[] }[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  await page.close();
  return found
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

describe.skipIf(executablePath === null)(`every reader in Chromium${needsChromium}`, () => {
  test.each(kinds)(
    '%s: axe finds nothing serious, no page scrolls sideways on a phone, paper has all',
    async (kind) => {
      const address = await reportOf(kind);
      expect(await faults(address, 'light')).toEqual([]);
      // Colours are all that differs, and charts have most of them.
      if (kind === 'evaloop' || kind === 'promptse') expect(await faults(address, 'dark')).toEqual([]);
      const { page, complaints } = await openPage(browser, address, { viewport: { width: 390, height: 844 } });
      const names = await pagesOf(page);
      expect(names.length).toBeGreaterThan(3);
      for (const name of names) {
        await page.locator(`nav.pages a[href="#${name}"]`).click();
        await page.locator(`#${name}`).waitFor();
        expect(`${name} ${await page.evaluate<number>('document.documentElement.scrollWidth')}`).toBe(`${name} 390`);
      }
      await page.emulateMedia({ media: 'print' });
      const printed = await page
        .locator('.page')
        .evaluateAll((pages) => pages.map(({ id, clientHeight }) => (clientHeight > 0 ? id : `${id} is not printed`)));
      // Examples are thousands, and chosen by filters: a printed report has none.
      expect(printed).toEqual(names.map((name) => (name === 'page-examples' ? `${name} is not printed` : name)));
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('a keyboard reaches every page, and the first link of each', async () => {
    const { page } = await openPage(browser, await reportOf('pass'));
    const focused = (): Promise<string | null> =>
      page.evaluate<string | null>("document.activeElement?.getAttribute('href')");
    const names = await pagesOf(page);
    const reached: (string | null)[] = [];
    for (const _ of names) {
      await page.keyboard.press('Tab');
      reached.push(await focused());
    }
    expect(reached).toEqual(names.map((name) => `#${name}`));
    await page.keyboard.press('Enter');
    await page.locator(`#${names.at(-1)}`).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate<boolean>("document.querySelector('main').contains(document.activeElement)")).toBe(true);
  });

  test('a number and its sign stay on one line, however narrow the column', async () => {
    const { page } = await openPage(browser, await reportOf('evaloop'));
    const broken = await page
      .locator('td')
      .evaluateAll((cells) => cells.filter((cell) => /\d %/.test(cell.textContent ?? '')).length);
    const kept = await page
      .locator('td')
      .evaluateAll((cells) => cells.filter((cell) => /\d\u00a0%/.test(cell.textContent ?? '')).length);
    expect(broken).toBe(0);
    expect(kept).toBeGreaterThan(0);
  });
});
