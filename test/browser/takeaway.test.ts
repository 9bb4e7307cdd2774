/** What is saved from the report in Chromium, read back by other means: tables as text, figures as pictures. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { collectReport } from '../../studies/report.ts';
import { writeMoodsRun } from '../analysis/report/moods-run.ts';
import { executablePath, needsChromium, openBrowser, openPage } from './browser.ts';
import { csvRows } from './csv-rows.ts';

let folder = '';
let address = '';
let browser: Browser;

beforeAll(async () => {
  if (executablePath === null) return;
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-takeaway-'));
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

/** Opens every fold, so that all of the page can be reached. */
const unfold = (page: Page) =>
  page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");

async function savedBy(page: Page, button: Locator, offer: string): Promise<{ name: string; bytes: Buffer }> {
  await button.click({ force: true });
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: offer }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

const boardOf = (page: Page) => page.locator('#stability .taken', { has: page.locator('table.board') }).first();
const figureOf = (page: Page) => page.locator('#stability figure.taken', { has: page.locator('svg') }).first();

describe.skipIf(executablePath === null)(`what is saved in Chromium${needsChromium}`, () => {
  test('the CSV of every table has its heads and cells, intervals in columns of their own', async () => {
    const { page } = await openPage(browser, address);
    const tables = await page.evaluate<{ heads: string[]; rows: string[][]; csv: string }[]>(everyTable);
    expect(tables.length).toBeGreaterThan(20);
    for (const { heads, rows, csv } of tables) {
      const [[caption] = [], names = [], ...cells] = csvRows(csv);
      expect(caption).toMatch(/^# \S/);
      expect(names.filter((name) => !/, below( \d)?$|^simulated$/.test(name))).toEqual(heads);
      const besides = (row: string[]) => row.filter((_, column) => names[column] !== 'simulated');
      expect(cells.map((row) => besides(row).filter((text) => text !== ''))).toEqual(rows);
    }
  });

  test('a table is saved as CSV, Markdown and LaTeX with a caption that tells n, interval and method', async () => {
    const { page, complaints } = await openPage(browser, address);
    const button = boardOf(page).getByRole('button', { name: /^Save / });
    const csv = await savedBy(page, button, 'Save as CSV');
    const md = await savedBy(page, button, 'Save as Markdown');
    const tex = await savedBy(page, button, 'Save as LaTeX');
    expect([csv.name, md.name, tex.name].map((name) => name.split('.').at(-1))).toEqual(['csv', 'md', 'tex']);
    const rows = csvRows(csv.bytes.toString());
    expect(rows[1]?.slice(0, 2)).toEqual(['Model', 'simulated']);
    for (const text of [rows[0]?.[0] ?? '', md.bytes.toString(), tex.bytes.toString()]) {
      expect(text).toMatch(/95 \\?% interval/);
      expect(text).toMatch(/n: counted tasks/);
    }
    const lines = md.bytes.toString().split('\n');
    expect(lines[0]).toMatch(/^\| Model \| pass@1 \|/);
    expect(lines.filter((line) => line.startsWith('|'))).toHaveLength(rows.length);
    expect(complaints).toEqual([]);
  });

  test('the LaTeX of every table is balanced and escaped, and each row has as many cells as columns', async () => {
    const { page } = await openPage(browser, address);
    const tables = await page.evaluate<{ tex: string; rows: string[][] }[]>(everyTable);
    for (const { tex, rows } of tables) {
      const plain = tex.replaceAll(/\\[\\%&#$_{}]/g, '');
      expect([...plain.matchAll(/\{/g)]).toHaveLength([...plain.matchAll(/\}/g)].length);
      const opened = [...tex.matchAll(/\\(begin|end)\{(\w+)\}/g)].map(([, what, name]) => `${what} ${name}`);
      expect(opened).toEqual(['begin table', 'begin tabular', 'end tabular', 'end table']);
      const columns = /\\begin\{tabular\}\{([lr]+)\}/.exec(tex)?.[1]?.length;
      const body = tex.split('\\toprule\n')[1]?.split('\\end{tabular}')[0] ?? '';
      const lines = body.split('\n').filter((line) => line.endsWith(' \\\\'));
      expect(lines).toHaveLength(rows.length + 1);
      for (const line of lines) expect(line.replaceAll('\\&', '').split('&')).toHaveLength(columns ?? 0);
      const [preamble = '', ...rest] = plain.split('\n');
      expect(preamble).toBe('% usepackage{booktabs}'.replace('u', '\\u'));
      expect(rest.join('\n').replaceAll(/\$(\\\w+|-|\^2)\$/g, '')).not.toMatch(/[#$%_^~"<>|]/);
    }
  });

  test.each(['light', 'dark'] as const)(
    'in %s a figure is saved as an SVG that opens alone, in colours of paper',
    async (colorScheme) => {
      const { page } = await openPage(browser, address, { colorScheme });
      await unfold(page);
      const { name, bytes } = await savedBy(page, figureOf(page).locator('.take'), 'Save as SVG');
      expect(name).toMatch(/^\S+\.svg$/);
      const svg = bytes.toString();
      expect(svg).not.toContain('var(');
      // The first model's colour on paper.
      expect(svg).toContain('#0b6e99');
      expect(svg).not.toContain('#62b8de');
      const file = join(folder, name);
      await writeFile(file, bytes);
      const alone = await openPage(browser, pathToFileURL(file).href);
      expect(await alone.page.evaluate("document.querySelectorAll('parsererror').length")).toBe(0);
      expect(await alone.page.evaluate("document.querySelectorAll('path').length")).toBeGreaterThan(2);
      expect([alone.complaints, alone.requests]).toEqual([[], [pathToFileURL(file).href]]);
    },
  );

  test('all panels of a figure are saved as one, with their captions and the legend', async () => {
    const { page } = await openPage(browser, address);
    await unfold(page);
    const figure = page.locator('#stability div.taken', { has: page.locator('figure + figure') }).nth(1);
    const captions = await figure.locator('figcaption .name').allInnerTexts();
    const { bytes } = await savedBy(page, figure.locator('> .take'), 'Save as SVG');
    for (const caption of captions) expect(bytes.toString()).toContain(`>${caption.replace(/\s.*/s, '')}`);
    expect(bytes.toString().match(/<svg /g)).toHaveLength(1 + captions.length);
    const all = await savedBy(page, figure.locator('> .take'), 'Save as Vega-Lite');
    await drawnBy(JSON.parse(all.bytes.toString()) as TopLevelSpec);
  });

  test('every Vega-Lite specification compiles without a warning, draws, and needs nothing of the page', async () => {
    const { page } = await openPage(browser, address);
    const specs = (await page.evaluate<{ spec?: TopLevelSpec }[]>(everyFigure)).flatMap(({ spec }) => spec ?? []);
    expect(specs.length).toBeGreaterThan(5);
    for (const spec of specs) {
      expect(JSON.stringify(spec)).not.toContain('var(');
      expect(await drawnBy(spec)).toMatch(/<path [^>]*d="M/);
    }
  });

  test('the PNG is three times as large as the figure, and is not empty', async () => {
    const { page, complaints } = await openPage(browser, address, { colorScheme: 'dark' });
    await unfold(page);
    const button = figureOf(page).locator('.take');
    const { bytes } = await savedBy(page, button, 'Save as PNG');
    const svg = (await savedBy(page, button, 'Save as SVG')).bytes.toString();
    const [, width = 0, height = 0] = /<svg [^>]*width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
    // The header chunk of a PNG: width and height in bytes 16 to 23.
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([
      Math.round(3 * Number(width)),
      Math.round(3 * Number(height)),
    ]);
    const blank = await (await browser.newContext()).newPage();
    const colors = await blank.evaluate(`(${colorsOf})('data:image/png;base64,${bytes.toString('base64')}')`);
    expect(colors).toContain('255,255,255');
    expect(colors).toContain('11,110,153');
    expect(complaints).toEqual([]);
  });

  test('the keyboard opens the menu, moves in it, and gets back to the button', async () => {
    const { page } = await openPage(browser, address);
    const button = boardOf(page).getByRole('button', { name: /^Save / });
    await button.focus();
    expect(await page.evaluate('getComputedStyle(document.activeElement).opacity')).toBe('1');
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    expect(await focused()).toBe('Save as CSV');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Save as Markdown');
    await page.keyboard.press('End');
    expect(await focused()).toBe('Copy as LaTeX');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('Save as CSV');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('menu').count()).toBe(0);
    expect(await focused()).toMatch(/^Save .*Study moods/);
  });

  test('without script and on paper there is no button', async () => {
    const still = await openPage(browser, address, { javaScriptEnabled: false });
    expect(await still.page.locator('.take:visible').count()).toBe(0);
    const { page } = await openPage(browser, address);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.take:visible').count()).toBe(0);
  });
});

/** Fails if Vega-Lite or Vega warns. */
async function drawnBy(spec: TopLevelSpec): Promise<string> {
  const warnings: unknown[] = [];
  const warn = (...texts: unknown[]) => {
    warnings.push(...texts);
    return logger;
  };
  const logger = {
    warn,
    error: warn,
    info: () => logger,
    debug: () => logger,
    level: () => 0,
  } as unknown as NonNullable<Parameters<typeof compile>[1]>['logger'];
  const compiled = compile(spec, logger === undefined ? {} : { logger }).spec;
  const svg = await new View(parse(compiled), { renderer: 'none' }).toSVG();
  expect(warnings).toEqual([]);
  return svg;
}

const unpack = `async (button) => {
  const bytes = Uint8Array.from(atob(button.dataset.take), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).json();
}`;

/** Each table's packed texts, with what the page shows: lines of a cell apart, without drawings and marks. */
/** Boards, which draw their intervals, aside. */
const everyTable = `Promise.all([...document.querySelectorAll(
  '.taken:has(> .wide):not(:has(.standing))')].map(async (box) => {
  const texts = await (${unpack})(box.querySelector('.take'));
  const heads = [...box.querySelectorAll('thead th')];
  const kept = heads.map((head) => head.dataset.sort !== undefined);
  const clean = (text) => text.replaceAll(/\\s+/g, ' ').trim();
  const headText = ({ childNodes }) => {
    const lines = [...childNodes].map(({ textContent }) => clean(textContent));
    const [first, ...under] = lines.filter((text) => text !== '');
    return under.length === 0 ? first ?? '' : clean(first + ' (' + under.join('; ') + ')');
  };
  const lines = (cell) => {
    const copy = cell.cloneNode(true);
    for (const mark of copy.querySelectorAll('.tag, .dot')) mark.remove();
    const under = [...copy.querySelectorAll('.range')].map((line) => { line.remove(); return line.textContent; });
    return [copy.textContent, ...under].map(clean).filter((text) => text !== '');
  };
  const rows = [...box.querySelectorAll('tbody tr, tfoot tr')].map(({ cells }) =>
    [...cells].filter((_, column) => kept[column]).flatMap(lines));
  const names = heads.filter((_, column) => kept[column]).map((head) => headText(head.querySelector('button') ?? head));
  return { ...texts, rows, heads: names };
}))`;

const everyFigure = `Promise.all([...document.querySelectorAll('figure > .take')].map(${unpack}))`;

/** Every colour of a picture, as r,g,b. */
const colorsOf = `async (source) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: image.width, height: image.height });
  const pen = canvas.getContext('2d');
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  const colors = new Set();
  for (let at = 0; at < data.length; at += 4) colors.add(data.slice(at, at + 3).join());
  return [...colors];
}`;
