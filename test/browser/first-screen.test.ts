/** The first screen in Chromium: one sentence, one row per model, what each number is, and marks that open. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardSection } from '../../analysis/card/card-section.ts';
import { openRun } from '../../analysis/database.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { partsPage } from '../../analysis/report/html/parts-page.ts';
import { lead, note } from '../../analysis/report/part.ts';
import { collectReport } from '../../studies/report.ts';
import { writeHandRun } from '../analysis/report/hand-run.ts';
import { manyCards } from '../support/many-cards.ts';
import { executablePath, needsChromium, openBrowser, openPage } from './browser.ts';

let folder = '';
let [report, many, long] = ['', '', ''];
let browser: Browser;

const models = 40;

beforeAll(async () => {
  if (executablePath === null) return;
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-first-'));
  await writeHandRun(folder);
  const database = await openRun(folder);
  report = await written('report', await renderReport(await collectReport(database), await collectExamples(database)));
  database.close();
  const modelCell = (_run: string, id: string) => ({
    ...{ text: id, id: `models/${id}` },
    model: { color: 'var(--model-0)', simulated: false },
  });
  many = await written('many', await partsPage('evenkeel', 'Many', [cardSection(manyCards(models), modelCell)]));
  const sentence = lead(`Of 2 models, ${'n'.repeat(150)} has the best estimate.`);
  long = await written('long', await partsPage('evenkeel', 'Long', [sentence, note(`In one: ${'m'.repeat(150)}.`)]));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (folder !== '') await rm(folder, { recursive: true });
});

async function written(name: string, text: string): Promise<string> {
  const file = join(folder, `${name}.html`);
  await writeFile(file, text);
  return pathToFileURL(file).href;
}

const tip = (page: Page) => page.getByRole('tooltip');
const namedRows = (page: Page): Promise<string[]> =>
  page.locator('.board tbody tr:not(.low):visible td.name').allInnerTexts();
const numbered = (from: number, to: number): string[] =>
  Array.from({ length: Math.abs(to - from) + 1 }, (_, step) => `model-${from + Math.sign(to - from) * step}`);

/** In pixels of the drawing's width. */
interface Dot {
  readonly centre: number;
  /** Where the style says that the value is. */
  readonly wanted: number;
  readonly lo: number;
  readonly hi: number;
}

const dotsOfBoard = `[...document.querySelectorAll('#cards .board .dots')].map((element) => {
  const [bar, dot] = [getComputedStyle(element), getComputedStyle(element, '::after')];
  const width = element.getBoundingClientRect().width;
  return {
    centre: parseFloat(dot.left) + parseFloat(dot.marginLeft) + parseFloat(dot.width) / 2,
    wanted: (width * parseFloat(bar.getPropertyValue('--at'))) / 100,
    lo: parseFloat(bar.paddingLeft),
    hi: width - parseFloat(bar.paddingRight),
  };
})`;

describe.skipIf(executablePath === null)(`the first screen${needsChromium}`, () => {
  test('has its answer and every row of the board without scrolling', async () => {
    const { page } = await openPage(browser, report, { viewport: { width: 1280, height: 800 } });
    expect(await page.locator('.lead').innerText()).toMatch(/^Of 2 models, no two models are told apart in passing/);
    for (const row of await page.locator('#cards .board tbody tr').all())
      expect((await row.boundingBox())?.y).toBeLessThan(700);
  });

  // Red where dots were kept within the column: they stood up to 4 % of its width to the left of their values.
  test('a dot stands at its value on the axis that its interval has', async () => {
    const { page } = await openPage(browser, report);
    const dots = await page.evaluate<readonly Dot[]>(dotsOfBoard);
    expect(dots.length).toBeGreaterThan(3);
    for (const { centre, wanted, lo, hi } of dots) {
      expect(Math.abs(centre - wanted)).toBeLessThan(0.5);
      expect(centre).toBeGreaterThan(lo - 0.5);
      expect(centre).toBeLessThan(hi + 0.5);
    }
  });

  // By hand: alpha passes 2 of 3 tasks, so its dot is at (66.7 - lo) / (hi - lo) of the column's axis.
  // Red before: the axis had no numbers.
  test('a column says what the ends of its axis stand for, at those ends', async () => {
    const { page } = await openPage(browser, report);
    const head = page.locator('#cards .board th', { hasText: 'pass@1' }).first();
    const ends = head.locator('.ends');
    const [lo, hi] = [Number(await ends.getAttribute('data-lo')), Number(await ends.getAttribute('data-hi'))];
    const dots = page.locator('#cards .board td.bars .dots').first();
    const at = await dots.evaluate((element) => parseFloat(element.style.getPropertyValue('--at')));
    expect(at).toBeCloseTo((100 * (200 / 3 - lo)) / (hi - lo), 0);
    const [axis, scale] = [await dots.boundingBox(), await ends.boundingBox()];
    expect(scale?.x).toBeCloseTo(axis?.x ?? NaN, 0);
    expect(scale?.width).toBeCloseTo(axis?.width ?? NaN, 0);
  });

  test('a number says its row, column, interval, place, n and method, by mouse and by focus', async () => {
    const { page } = await openPage(browser, report);
    const cell = page.locator('#cards .board td.bars').first();
    await cell.hover();
    await tip(page).waitFor();
    const [row, value, group, n, interval, meaning] = (await tip(page).innerText()).split('\n');
    // All three of its tasks, also the one on which beta could not be judged: two pass.
    expect([row, value]).toEqual([
      'alpha · pass@1, % 3 tasks, base',
      expect.stringMatching(/^pass@1: 66\.7 %; 95 % interval /),
    ]);
    expect([group, n]).toEqual([
      'Group a, rank 1 to 2 of 2; no model is shown to be better',
      'n = 3 tasks of study loops, base',
    ]);
    expect(interval).toMatch(/^Interval: /);
    expect(meaning).toMatch(/^How many tasks the first answer .* More is better\. From study loops, base$/);
    await page.keyboard.press('Escape');
    await expect.poll(() => tip(page).count()).toBe(0);
    await cell.locator('a').focus();
    expect(await tip(page).innerText()).toContain('pass@1: 66.7 %');
  });

  test('a click on a number shows the examples behind it', async () => {
    const { page } = await openPage(browser, report);
    await page.locator('#cards .board td.bars a').first().click();
    expect(new URL(page.url()).hash).toBe('#examples?study=loops&model=alpha&variant=original');
    const models = page.locator('#example-list tbody tr:visible td.name');
    await expect.poll(() => models.allInnerTexts()).toEqual(Array(3).fill('alpha'));
  });

  test('marks say what is simulated and what is missing, and more when they are opened', async () => {
    const { page } = await openPage(browser, report);
    const notice = page.locator('.notice', { hasText: 'Partial' });
    expect(await notice.innerText()).toBe('Partial 2 of 8 cells missing');
    await notice.locator('summary').click();
    expect(await notice.innerText()).toContain('All numbers are over finished pages only');
    expect(await page.locator('.notice', { hasText: 'Simulated' }).innerText()).toBe('Simulated beta');
    const mark = page.locator('#cards .board button.tag', { hasText: 'excluded' });
    await mark.focus();
    expect(await tip(page).innerText()).toMatch(/^\d+ of \d+ verdicts on beta are excluded/);
  });

  test('of many models the first five and the last five have names, whatever sorts them', async () => {
    const { page, complaints } = await openPage(browser, many);
    expect(await namedRows(page)).toEqual([...numbered(39, 35), ...numbered(4, 0)]);
    const head = page.locator('.board thead').getByRole('button', { name: 'ASL' });
    await head.click();
    await head.click();
    expect(await namedRows(page)).toEqual([...numbered(0, 4), ...numbered(35, 39)]);
    await page.getByRole('searchbox', { name: 'Find' }).fill('model-2');
    expect((await namedRows(page)).toSorted()).toEqual(['model-2', ...numbered(20, 29)]);
    await page.getByRole('searchbox', { name: 'Find' }).fill('');
    await page.getByRole('button', { name: 'All names' }).click();
    expect(await namedRows(page)).toHaveLength(models);
    expect(complaints).toEqual([]);
  });

  // Red before: the page was 2055 px wide.
  test('a model id without blanks breaks where the line ends', async () => {
    const { page } = await openPage(browser, long, { viewport: { width: 1280, height: 800 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
  });

  test('a point of the scatter leads to its model', async () => {
    const { page } = await openPage(browser, many);
    const point = page.getByRole('link', { name: /^model-17: pass@1 17\.0 %, ASL 1\.70$/ });
    expect(await namedRows(page)).not.toContain('model-17');
    await point.click();
    expect(new URL(page.url()).hash).toBe('#models/model-17');
    await expect.poll(() => namedRows(page)).toContain('model-17');
  });
});
