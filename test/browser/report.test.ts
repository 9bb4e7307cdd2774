/** The report as a reader has it: a file in Chromium. Expected numbers are counted by hand from hand-run.ts. */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { collectReport } from '../../studies/report.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { hostile, writeHandRun } from '../analysis/report/hand-run.ts';
import { executablePath, needsChromium, openBrowser, openPage } from './browser.ts';
import { contrasts } from './contrast.ts';

let folder = '';
let address = '';
let browser: Browser;

beforeAll(async () => {
  if (executablePath === null) return;
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-browser-'));
  await writeHandRun(folder);
  address = pathToFileURL(await writeReport(folder)).href;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  if (folder !== '') await rm(folder, { recursive: true });
});

async function writeReport(run: string): Promise<string> {
  const database = await openRun(run);
  const file = join(run, 'report.html');
  await writeFile(file, await renderReport(await collectReport(database), await collectExamples(database)));
  database.close();
  return file;
}

const texts = async (cells: Locator): Promise<string[]> =>
  (await cells.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
const rowsOf = async (table: Locator): Promise<string[][]> =>
  Promise.all(
    (await table.locator('tbody tr:not([hidden]), tfoot tr').all()).map((row) =>
      texts(row.locator('th, td:not(.gap)')),
    ),
  );

describe.skipIf(executablePath === null)(`the report in Chromium${needsChromium}`, () => {
  test('loads nothing but itself and complains of nothing', async () => {
    const { page, complaints, requests } = await openPage(browser, `${address}#page-examples`);
    await openFirstExample(page);
    expect(requests).toEqual([address]);
    expect(complaints).toEqual([]);
    expect((await stat(join(folder, 'report.html'))).size).toBeLessThan(300_000);
  });

  test('the board has ASL 10/9 and 1/6, pass@1 2 of 3 and 1 of 2, next to a ceiling of 2 in 3', async () => {
    const { page } = await openPage(browser, `${address}#page-loops`);
    const [alpha, beta] = await rowsOf(page.locator('.board').filter({ hasText: 'Ceiling' }));
    expect(alpha?.[0]).toBe('alpha');
    expect(beta?.[0]).toBe('betasimulated');
    // No judge scored this run: the board has no column for ASL with similarities.
    const firsts = (row?: string[]) => row?.slice(2).map((cell) => cell.split(/ (?=[\d.]+ – )/)[0]);
    expect(firsts(alpha)).toEqual(['1.111', '66.7 %', '66.7 %', '33.3 %', '3', '0', '1']);
    expect(firsts(beta)).toEqual(['0.167', '50.0 %', '66.7 %', '50.0 %', '2', '1', '1']);
    expect(await rowsOf(page.locator('#ceilings table'))).toEqual([
      ['tiny, python', 'base', '3', '12', '2', '66.7 %', 'wall timeout: T/10', 'none'],
    ]);
  });

  test('every number says its column, what the column means, and how intervals are computed', async () => {
    const { page } = await openPage(browser, address);
    const said = await page.evaluate<{ told: number; silent: string[] }>(askEveryNumber);
    expect(said.silent).toEqual([]);
    expect(said.told).toBeGreaterThan(100);
    const loops = page.locator('#page-loops .board').filter({ hasText: 'Ceiling' });
    await page.goto(`${address}#page-loops`);
    await loops.locator('td.n').first().hover();
    await expect.poll(() => page.locator('#tip').innerText()).toContain('\nn = 3\n');
  });

  test('failures stand by reason and loop', async () => {
    const { page } = await openPage(browser, `${address}#page-loops`);
    const rows = await rowsOf(page.locator('#failures table').first());
    expect(new Map(rows.map(([reason = '', ...counts]) => [reason, counts]))).toEqual(
      new Map([
        ['wrong output', ['1', '1', '2']],
        ['exception', ['0', '1', '1']],
        ['no code', ['1', '0', '1']],
        ['missing dependency (excluded)', ['1', '0', '1']],
        ['All', ['3', '2', '5']],
      ]),
    );
  });

  test('the matrix has the hardest task first, is filtered by words, and tells what a cell means', async () => {
    const { page } = await openPage(browser, `${address}#page-loops`);
    const matrix = page.locator('.matrix');
    const hardestFirst = [
      ['T/10reference fails', 'Write a function for T/10, <b>please</b>.', '0.0', '0', '0'],
      ['T/2', 'Write a function for T/2, <b>please</b>.', '1.0', '1', '×'],
      ['T/1', 'Write a function for T/1, <b>please</b>.', '2.0', '✓', '1'],
    ];
    await page.locator('.matrix.live').waitFor();
    expect(await rowsOf(matrix)).toEqual(hardestFirst);
    await matrix.getByLabel('Tasks', { exact: true }).fill('FOR t/2');
    expect(await rowsOf(matrix)).toEqual([hardestFirst[1]]);
    expect(await matrix.locator('.count').innerText()).toBe('1 task × 2 models');
    await matrix.locator('tbody tr:not([hidden]) td:not(.gap)').nth(2).hover();
    expect(await matrix.locator('.readout').innerText()).toMatch(/^T\/2 · alpha: lasted 1 of 3 loops · Write/);
  });

  test('a click on a head sorts, numbers as numbers', async () => {
    const { page } = await openPage(browser, `${address}#page-loops`);
    const head = page.locator('.grid th', { hasText: 'Task' }).getByRole('button');
    await head.click();
    await head.click();
    expect((await rowsOf(page.locator('.matrix'))).map(([task]) => task)).toEqual([
      'T/1',
      'T/2',
      'T/10reference fails',
    ]);
  });

  test('the examples are all six cells, found by result, model and words', async () => {
    const { page } = await openPage(browser, `${address}#page-examples`);
    const list = page.locator('#example-list');
    expect(await rowsOf(list)).toHaveLength(6);
    await page.getByLabel('Result').selectOption('wrong_output');
    expect(new Map((await rowsOf(list)).map(([task = '', model]) => [task, model]))).toEqual(
      new Map([
        ['T/10', 'betasimulated'],
        ['T/2', 'alpha'],
      ]),
    );
    await page.getByLabel('Model').selectOption('alpha');
    expect(await rowsOf(list)).toEqual([['T/2', 'alpha', 'wrong output', '1', 'loops', 'in a later loop']]);
    await page.getByLabel('Search').fill('no such task');
    expect(await rowsOf(list)).toEqual([]);
  });

  test('an example shows prompt, reply, code, a failing case; its address reopens it, Escape closes it', async () => {
    const { page } = await openPage(browser, `${address}#page-examples`);
    await page.getByLabel('Result').selectOption('exception');
    await openFirstExample(page);
    const shown = page.locator('#example');
    expect(await shown.locator('p').first().innerText()).toMatch(
      /^beta\s*simulated lasted 1 loop, ended by: exception$/,
    );
    const last = shown.locator('#example-body > details').last();
    expect(await last.locator('summary').first().innerText()).toMatch(
      /Loop 2, generate\s*✗ base: exception at case 3 of 4/,
    );
    expect(await last.locator('pre:has(> code)').innerText()).toBe('def f():\n    return "beta T/1 2"\n');
    expect(await texts(last.locator('.failure p, .failure dt, .failure dd'))).toEqual([
      ...['base: exception at case 3 of 4', 'Failing input', '[[2,1]]'],
      ...['Expected', '[1, 2]', 'Got', '[2, 1]'],
    ]);
    await last.getByText('Prompt', { exact: true }).click();
    expect(await texts(last.locator('pre:visible'))).toContain('Prompt of beta T/1 2');
    await last.getByText('Reply of beta').click();
    expect(await texts(last.locator('pre:visible'))).toContain('Here it is: def f(): return "beta T/1 2"');

    const again = await openPage(browser, page.url());
    await again.page.locator('#example-body details').first().waitFor();
    expect(await again.page.locator('#example h2').innerText()).toBe('T/1');

    await page.keyboard.press('Escape');
    expect(await shown.isVisible()).toBe(false);
    expect(page.url()).toBe(`${address}#page-examples`);
  });

  test('a hostile reply is text: nothing of it runs or becomes an element', async () => {
    const { page, complaints, requests } = await openPage(browser, `${address}#page-loops`);
    await page.locator('.matrix.live .grid tbody tr[aria-rowindex]').first().locator('a').first().click();
    const reply = page.locator('#example-body pre', { hasText: 'onerror' });
    await reply.waitFor();
    expect(await reply.innerText()).toBe(hostile.replace('\u202e', '\ufffd'));
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('r · evenkeel');
    expect(requests).toEqual([address]);
    expect(complaints).toEqual([]);
  });

  test('the policy of the page refuses a script that got into it, and every address', async () => {
    const { page, complaints } = await openPage(browser, address);
    await page.evaluate(intruder);
    await expect(page.evaluate("fetch('data:text/plain,x')")).rejects.toThrow();
    expect(await page.title()).toBe('r · evenkeel');
    expect(complaints.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(2);
  });

  test('the keyboard alone gets from cell to cell and opens an example', async () => {
    const { page } = await openPage(browser, `${address}#page-loops`);
    await page.locator('.matrix.live .grid').focus(); // first cell
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('#example-body details').first().waitFor();
    expect(await page.locator('#example p').first().innerText()).toContain('ended by: exception');
    expect(await page.locator('#example h2').innerText()).toBe('T/1');
  });

  test('on a phone nothing scrolls sideways, the open example neither', async () => {
    const { page } = await openPage(browser, address, { viewport: { width: 390, height: 844 } });
    const width = () => page.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBe(390);
    await page.goto(`${address}#page-examples`);
    await openFirstExample(page);
    expect(await width()).toBe(390);
    expect(await page.locator('#example').evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true);
  });

  test.each(['light', 'dark'] as const)('in %s every text has a contrast of 4.5 at least', async (colorScheme) => {
    const { page } = await openPage(browser, address, { colorScheme });
    await page.evaluate(everyModelColor);
    const low = async () => (await contrasts(page)).filter(({ ratio }) => ratio < 4.5);
    expect(await low()).toEqual([]);
    expect(await page.evaluate(pageColor)).toBe(colorScheme === 'light' ? 'rgb(253, 253, 252)' : 'rgb(21, 24, 27)');
    await page.goto(`${address}#page-examples`);
    await openFirstExample(page);
    expect(await low()).toEqual([]);
  });

  test('on paper it is light, without controls, and with its tables', async () => {
    const { page } = await openPage(browser, address, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate(pageColor)).toBe('rgb(255, 255, 255)');
    expect((await contrasts(page)).filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    expect(await page.locator('.filters:visible, nav:visible, #examples:visible').count()).toBe(0);
    expect(await page.locator('.board:visible, .grid:visible, #failures table:visible').count()).toBeGreaterThanOrEqual(
      3,
    );
  });
});

/** A tap on each number of each table, with all pages and folds open. What n is, test/studies/meanings.test.ts asks. */
const askEveryNumber = `(() => {
  for (const one of document.querySelectorAll('.page')) one.classList.add('shown');
  for (const one of document.querySelectorAll('details')) one.open = true;
  const numbers = [...document.querySelectorAll('main table:not(.grid) tbody :is(td.n, td.bars)')].filter(
    (cell) => /\\d/.test(cell.textContent) && !cell.closest('#examples'),
  );
  const silent = [];
  for (const cell of numbers) {
    cell.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    const text = document.getElementById('tip').innerText;
    const table = cell.closest('table');
    const head = table.tHead.rows[0].cells[cell.cellIndex];
    const wanted = [head.innerText.trim().split('\\n')[0], head.dataset.tip || 'no meaning'];
    const method = cell.dataset.tip || (table.dataset.method && text.includes(table.dataset.method));
    if (!method || !wanted.every((one) => text.includes(one))) silent.push(head.innerText + ': ' + text);
  }
  return { told: numbers.length, silent };
})()`;

const pageColor = 'getComputedStyle(document.body).backgroundColor';

const intruder = `{
  const script = document.createElement('script');
  script.textContent = "document.title = 'owned'";
  document.body.append(script);
}`;

/** Eight models have a colour each; the run here has two. */
const everyModelColor = `for (let model = 0; model < 8; model++) {
  const word = document.createElement('p');
  word.textContent = 'model ' + model;
  word.style.color = 'var(--model-' + model + ')';
  document.querySelector('main').append(word);
}`;

async function openFirstExample(page: Page): Promise<void> {
  await page.locator('#example-list tbody a').first().click();
  await page.locator('#example-body details').first().waitFor();
}
