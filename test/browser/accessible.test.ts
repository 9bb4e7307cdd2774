/** The report of each kind of study with axe, by keyboard, on a phone and on paper. */
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
import { writeHandCards } from '../studies/cards/hand-cards.ts';
import { inFull, long } from '../support/forms/long.ts';
import { executablePath, needsChromium, openBrowser, openPage } from './browser.ts';

const kinds: readonly SpecStudy['kind'][] = ['evaloop', 'robunfr-workflows'];
const furtherKinds: readonly SpecStudy['kind'][] = ['evaloop-translation', 'promptse', 'specificity', 'pass'];

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

/** Of one run with every kind of study, a new version and an attacked prompt among them. */
let ofAllKinds: Promise<string> | undefined;
async function reportOfAll(): Promise<string> {
  const at = join(folder, 'cards');
  ofAllKinds ??= writeHandCards(at).then(() => renderedRun(join(at, 'all'), 'all'));
  return ofAllKinds;
}

async function writeReport(kind: SpecStudy['kind']): Promise<string> {
  const run = join(folder, kind);
  await writeLargeRun(run, { kind, models: 3, tasks: 5 });
  return renderedRun(run, kind);
}

async function renderedRun(run: string, name: string): Promise<string> {
  const database = await openRun(run);
  const file = join(folder, `${name}.html`);
  await writeFile(file, await renderReport(await collectReport(database), await collectExamples(database)));
  database.close();
  return pathToFileURL(file).href;
}

const pagesOf = (page: Page): Promise<string[]> =>
  page
    .locator('nav.pages a')
    .evaluateAll((links) => links.map((link) => (link.getAttribute('href') ?? '').replace('#', '')));

/** What axe finds with all pages shown at once and all folds open. The fifth row of a table has what the fourth has. */
async function faults(address: string, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const { page } = await openPage(browser, address, { colorScheme, bypassCSP: true });
  await page.locator('.page').evaluateAll((pages) => {
    for (const one of pages) one.classList.add('shown');
  });
  await page.locator('details').evaluateAll((folds) => {
    for (const one of folds) one.setAttribute('open', '');
  });
  await page.locator('tbody tr:nth-child(n + 5)').evaluateAll((rows) => {
    for (const one of rows) one.remove();
  });
  await page.evaluate(axe.source);
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  await page.close();
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

async function readsOnEveryPage(kind: SpecStudy['kind']): Promise<void> {
  const address = await reportOf(kind);
  expect(await faults(address, 'light')).toEqual([]);
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
}

describe.skipIf(executablePath === null)(`every reader in Chromium${needsChromium}`, () => {
  const reads = 'axe finds nothing, no page scrolls sideways on a phone, paper has all';
  test.each(kinds)(`%s: ${reads}`, readsOnEveryPage);
  long.each(furtherKinds)(`%s: ${reads}${inFull}`, readsOnEveryPage);

  test.each(['light', 'dark'] as const)(
    'all kinds in one report, %s: axe finds nothing',
    async (colors) => {
      expect(await faults(await reportOfAll(), colors)).toEqual([]);
    },
    90_000,
  );

  test('a keyboard reaches everything on every page, with a ring around it and in sight', async () => {
    const { page } = await openPage(browser, await reportOfAll());
    for (const name of await pagesOf(page)) {
      await page.evaluate(`location.hash = '#${name}'`);
      await page.locator(`#${name}`).waitFor();
      const controls = await page.evaluate<number>(watchFocus);
      // It begins where the address leads, and passes the end of the page once.
      const before = (await page.locator('nav.pages a').count()) + 3;
      for (let pressed = 0; pressed < controls + before; pressed++) await page.keyboard.press('Tab');
      expect(`${name}: ${await page.evaluate<string>('focusFaults()')}`).toBe(`${name}: `);
    }
  });

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

/** Notes what gets the focus. A matrix is one stop: its active cell has the ring. @returns how many stops there are */
const watchFocus = `(() => {
  const stops = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0,
  );
  const [reached, faults] = [new Set(), []];
  document.activeElement?.blur();
  globalThis.noted?.abort();
  globalThis.noted = new AbortController();
  document.addEventListener(
    'focusin',
    ({ target }) => {
      reached.add(target);
      const shown = target.matches('.grid') ? (target.querySelector('.active') ?? target) : target;
      const { outlineStyle } = getComputedStyle(shown);
      const { top, bottom, width } = shown.getBoundingClientRect();
      if (outlineStyle === 'none') faults.push('no ring: ' + target.outerHTML.slice(0, 120));
      const isSeen = width > 0 && top <= innerHeight && bottom >= 0;
      if (!isSeen) faults.push('out of sight: ' + target.outerHTML.slice(0, 120));
    },
    { signal: globalThis.noted.signal },
  );
  globalThis.focusFaults = () =>
    [...faults, ...stops.filter((one) => !reached.has(one)).map((one) => 'not reached: ' + one.outerHTML.slice(0, 120))]
      .slice(0, 3)
      .join('; ');
  return stops.length;
})()`;
