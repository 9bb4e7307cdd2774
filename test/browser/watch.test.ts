/** The served page in Chromium, while its run stores one model's results after the other. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createWatchApp } from '../../cli/serve/app.ts';
import { type Listening, listen } from '../../cli/serve/listen.ts';
import { watchedRuns } from '../../cli/serve/watched-runs.ts';
import { type WatchedRun, writeWatchedRun } from '../support/watched-run.ts';
import { executablePath, needsChromium, openBrowser, openPage } from './browser.ts';
import { contrasts } from './contrast.ts';

interface Served {
  readonly port: number;
  /** At once, as Ctrl-C does. */
  stop(): void;
}

async function serve(port = 0): Promise<Served> {
  const runs = watchedRuns(runsDir, [], { restMs: 200, mostBusy: 1 });
  let server: Listening | null = null;
  server = await listen(
    createWatchApp(runs, () => server?.port ?? 0),
    port,
  );
  const stop = (): void => {
    server?.close();
    runs.close();
  };
  return { port: server.port, stop };
}

let browser: Browser;
let runsDir = '';
let served: Served;
beforeAll(async () => {
  if (executablePath === null) return;
  runsDir = mkdtempSync(join(tmpdir(), 'evenkeel-watch-'));
  served = await serve();
  browser = await openBrowser();
});
afterAll(async () => {
  served?.stop();
  await browser?.close();
  if (runsDir !== '') rmSync(runsDir, { recursive: true });
});

/** A run that has stored the results of its first model, and the address of its page. */
async function newRun(id: string, port = served.port): Promise<{ run: WatchedRun; url: string }> {
  const folder = join(runsDir, id);
  mkdirSync(folder);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { run: await writeWatchedRun(folder, id, 1), url: `http://127.0.0.1:${port}/run/${id}/` };
}

/** The models whose results the page shows. */
const shownModels = async (page: Page): Promise<string[]> =>
  (await page.locator('#page-calls tbody .name').allTextContents()).map((text) => text.replace('simulated', ''));

const expectModels = (page: Page, models: readonly string[]) =>
  expect.poll(() => shownModels(page), { timeout: 20_000 }).toEqual(models);

describe.skipIf(executablePath === null)(`the page of watch in Chromium${needsChromium}`, () => {
  test('shows facts and results, takes newer results in without a jump, and keeps what the reader did', async () => {
    const { run, url } = await newRun('kept');
    const { page, complaints, requests } = await openPage(browser, url, { viewport: { width: 1100, height: 700 } });
    await expectModels(page, ['first']);
    expect(await page.locator('#live').innerText()).toMatch(/kept\s+interrupted\s+2 of 90 cells, 2.2 %/);
    expect(await page.locator('.live-failures li').innerText()).toMatch(
      /^first \(loops, generate\) at \d\d:\d\d:\d\d: HTTP 503: the model is <b>loading<\/b>$/,
    );

    // The reader sorts, opens, searches, scrolls, and is about to type.
    await page.locator('nav.pages a', { hasText: 'Loops' }).click();
    const study = page.locator('[data-page].shown');
    await study.locator('table th[data-sort] > button').first().click();
    await study.locator('details:not(.taken) > summary').first().click();
    await page.locator('.live-models > summary').dispatchEvent('click');
    const matrix = study.locator('.matrix').first();
    const search = matrix.getByRole('searchbox', { name: 'Tasks' });
    await search.fill('MBPP/1');
    await search.focus();
    const top = async () => Math.round((await search.boundingBox())?.y ?? -1);
    const [before, scrolledBefore] = [await top(), await page.evaluate('scrollY')];

    run.store(2);
    await expectModels(page, ['first', 'second']);
    await expect.poll(() => matrix.locator('thead th').allInnerTexts()).toContain('second *');
    // More stands above it now, and it has not moved.
    expect(await page.evaluate('scrollY')).toBeGreaterThan(Number(scrolledBefore) + 50);
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(2);
    expect([await search.inputValue(), await matrix.locator('input:focus').count()]).toEqual(['MBPP/1', 1]);
    // By hand: of MBPP/0 to MBPP/29, 1 and 10 to 19.
    expect(await matrix.locator('.count').innerText()).toMatch(/^11 tasks/);
    expect(await study.locator('th[aria-sort]').count()).toBe(1);
    expect(await study.locator('details:not(.taken)').first().getAttribute('open')).not.toBeNull();
    expect(await page.locator('.live-models').getAttribute('open')).not.toBeNull();
    expect(await page.locator('[data-page].shown').count()).toBe(1);
    expect(complaints).toEqual([]);
    expect(requests.filter((address) => !address.startsWith(new URL(url).origin))).toEqual([]);
  });

  test('opens examples as they are asked for, and keeps one open, and the filters, while results change', async () => {
    const { run, url } = await newRun('examples');
    const { page, complaints, requests } = await openPage(browser, `${url}#examples?words=MBPP/1`);
    const rows = page.locator('#example-list tbody tr');
    await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(11);
    const id = (await rows.locator('a').first().getAttribute('href'))?.slice('#x-'.length);
    await rows.locator('a').first().click();
    await page.locator('#example-body pre').first().waitFor();
    expect(requests).toContain(`${url}examples/${id}`);
    run.store(3);
    await expectModels(page, ['first', 'second', 'third']);
    expect(await page.locator('#example').getAttribute('open')).not.toBeNull();
    expect(new URL(page.url()).hash).toBe(`#x-${id}`);
    await page.locator('#example-close').click();
    await expect.poll(() => new URL(page.url()).hash).toMatch(/^#examples/);
    expect([await page.locator('#example-words').inputValue(), await rows.count()]).toEqual(['MBPP/1', 25]);
    await page.evaluate("location.hash = '#x-000000000000'");
    await expect
      .poll(() => page.locator('#example-body').innerText(), { timeout: 10_000 })
      .toContain('does not hold that example');
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
  });

  test('says that its server has gone, and goes on when it is back', async () => {
    const own = await serve();
    const { run, url } = await newRun('back', own.port);
    const { page } = await openPage(browser, url);
    await expectModels(page, ['first']);
    own.stop();
    await page.locator('#live-lost').waitFor({ state: 'visible' });
    expect(await shownModels(page)).toEqual(['first']);
    run.store(2, { state: 'complete' });
    onTestFinished((await serve(own.port)).stop);
    await page.locator('#live-lost').waitFor({ state: 'hidden', timeout: 15_000 });
    await expectModels(page, ['first', 'second']);
    expect(await page.locator('#live .state').innerText()).toBe('complete');
  });

  test('lists the runs, each a link; a run that is deleted is said, and what was shown stays', async () => {
    const { run, url } = await newRun('gone');
    const { page } = await openPage(browser, new URL(url).origin);
    expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/^gone\s+interrupted\s+2 \/ 90\s+2026-11-20 20:00 UTC$/),
    ]);
    await page.getByRole('link', { name: 'gone' }).click();
    await expectModels(page, ['first']);
    await page.getByRole('link', { name: 'All runs' }).click();
    await page.getByRole('link', { name: 'gone' }).click();
    await expectModels(page, ['first']);
    rmSync(run.folder, { recursive: true });
    await expect.poll(() => page.locator('#live').innerText(), { timeout: 10_000 }).toContain('no run "gone" in');
    expect(await shownModels(page)).toEqual(['first']);
  });

  test('its facts have a contrast of 4.5 at least in light and dark, and fit on a phone', async () => {
    const { url } = await newRun('small');
    const { page } = await openPage(browser, url, { viewport: { width: 390, height: 844 } });
    await expectModels(page, ['first']);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect((await contrasts(page)).filter(({ ratio }) => ratio < 4.5)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    }
  });
});
