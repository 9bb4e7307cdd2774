/** Examples in Chromium: filters in the address, marked changes, failing cases, two codes side by side. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../analysis/database.ts';
import { collectExamples } from '../../analysis/report/examples.ts';
import { exampleLink } from '../../analysis/report/examples/link.ts';
import { renderReport } from '../../analysis/report/html/page.ts';
import { collectReport } from '../../studies/report.ts';
import type { Row } from '../../schemas/tables.ts';
import { hostile } from '../analysis/report/hand-run.ts';
import { writeRun } from '../analysis/run-fixture.ts';
import { executablePath, needsChromium, openBrowser, openPage } from './browser.ts';
import { contrasts } from './contrast.ts';

const key = { run: 'r', study: 's', benchmark: 'tiny', language: 'python', setting: 'default', repetition: 0 };
const page = 's/m/p';

interface Asked {
  readonly model: string;
  readonly variant: string;
  readonly code: string;
  readonly outcome: string;
  readonly prompt: string;
}

const good = 'def f(x):\n    """Adds\n    one."""\n    return x + 1\n';
const asked: readonly Asked[] = [
  { model: 'a', variant: 'original', code: good, outcome: 'pass', prompt: 'Add one to the number.' },
  {
    model: 'a',
    variant: 'calm',
    code: 'def f(x):\n    """Adds\n    one."""\n    return x + 2\n',
    outcome: 'wrong_output',
    prompt: `Calmly add one to the number. ${hostile}`,
  },
  { model: 'b', variant: 'original', code: `# ${hostile}`, outcome: 'exception', prompt: 'Add one to the number.' },
];

const cellOf = ({ model, variant }: Asked): Row => ({
  ...{ ...key, model, variant, task_id: 'T/1' },
  ...{ loop: 1, step: 'generate', sample: 0 },
});
const nameOf = ({ model, variant }: Asked): string => `${model} ${variant}`;

const tables = () =>
  writeRun(folder, [
    {
      table: 'samples',
      page,
      rows: asked.map((one) => ({
        ...{ ...cellOf(one), ask: 0, answering_model: one.model, prompt_sha256: nameOf(one) },
        ...{ reply: one.code, reply_status: 'ok', extraction: 'bare', solution: one.code, simulated: false },
      })),
    },
    {
      table: 'prompts',
      page,
      rows: asked.map((one) => ({
        ...{ prompt_sha256: nameOf(one), page },
        messages: JSON.stringify([{ role: 'user', content: one.prompt }]),
      })),
    },
    {
      table: 'verdicts',
      page,
      rows: asked.map((one) => ({
        ...{ ...cellOf(one), suite: 'base', execution_id: nameOf(one), outcome: one.outcome },
        first_failing_case: one.outcome === 'pass' ? null : 0,
      })),
    },
    {
      table: 'executions',
      page,
      rows: asked.map((one) => ({
        ...{ execution_id: nameOf(one), page, suite: 'base', outcome: one.outcome, first_failing_case: 0 },
        failing_input: one.outcome === 'pass' ? null : '[1]',
        detail: { wrong_output: 'expected [2, 3], got [3, 3]', exception: hostile }[one.outcome] ?? null,
      })),
    },
  ]);

let folder = '';
let address = '';
let browser: Browser;
beforeAll(async () => {
  if (executablePath === null) return;
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-examples-'));
  await tables();
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

const listed = async (shown: Page): Promise<string[]> =>
  (await shown.locator('#example-list tbody tr').all()).length === 0
    ? []
    : (await shown.locator('#example-list tbody tr').allInnerTexts()).map((text) => text.split('\t').join(' | '));

const open = async (shown: Page, variant: string, model: string): Promise<void> => {
  const row = shown.locator('#example-list tbody tr', { hasText: variant }).filter({ hasText: model });
  await row.locator('a').first().click();
  await shown.locator('#example-body details').first().waitFor();
};

const calm = 'T/1 | a | wrong output | – | s, calm | between variants';
const failing = 'T/1 | b | exception | – | s | between models';

describe.skipIf(executablePath === null)(`examples in Chromium${needsChromium}`, () => {
  test('an address sets the filters, a filter changes the address, a mark removes what has no control', async () => {
    const link = exampleLink({ study: 's', task: 'T/1', outcome: 'fails', flip: 'any' });
    const { page: shown } = await openPage(browser, address + link);
    expect(new Set(await listed(shown))).toEqual(new Set([calm, failing]));
    await shown.locator('#example-variant').selectOption('calm');
    expect(await listed(shown)).toEqual([calm]);
    expect(shown.url()).toBe(
      `${address}${exampleLink({ study: 's', task: 'T/1', outcome: 'fails', flip: 'any', variant: 'calm' })}`,
    );
    await shown.getByRole('button', { name: 'task T/1' }).click();
    expect(shown.url()).not.toContain('task');
    await shown.evaluate("location.hash = '#examples?task=T/2'");
    await expect.poll(() => listed(shown)).toEqual([]);
    expect(await shown.locator('#example-count').innerText()).toBe('None of the examples held here');
    await shown.goBack();
    await expect.poll(() => listed(shown)).toEqual([calm]);
  });

  test('the words that a variant changed are marked, its code is coloured, expected and got stand apart', async () => {
    const { page: shown, complaints } = await openPage(browser, `${address}#examples?variant=calm`);
    await open(shown, 'calm', 'a');
    const prompt = shown.locator('#example-body pre', { hasText: 'the number' }).first();
    expect(await prompt.locator('del').allInnerTexts()).toEqual(['Add']);
    expect((await prompt.locator('ins').allInnerTexts()).slice(0, 2)).toEqual(['Calmly', 'add ']);
    expect(await shown.locator('#example-body .c-keyword').allInnerTexts()).toEqual(['def', 'return']);
    expect(await shown.locator('#example-body .c-number').innerText()).toBe('2');
    const parts = await shown.locator('.failure dt, .failure dd').allInnerTexts();
    expect(parts.map((text) => text.trim())).toEqual(['Failing input', '[1]', 'Expected', '[2, 3]', 'Got', '[3, 3]']);
    expect(await shown.locator('.failure del, .failure ins').allInnerTexts()).toEqual(['2', '3']);
    expect(complaints).toEqual([]);
  });

  test('two examples stand side by side, with their lines compared; the address holds both', async () => {
    const { page: shown } = await openPage(browser, `${address}#examples?variant=calm`);
    await open(shown, 'calm', 'a');
    await shown.getByLabel('Side by side with').selectOption({ label: 'a, original: pass' });
    const pair = shown.locator('table.beside');
    await pair.waitFor();
    const rows = (await pair.locator('tbody tr').allInnerTexts()).map((text) =>
      text.split('\t').map((one) => one.trim()),
    );
    expect(rows).toEqual([
      ['1', 'def f(x):', '1', 'def f(x):'],
      ['2', '"""Adds', '2', '"""Adds'],
      ['3', 'one."""', '3', 'one."""'],
      ['4 −', 'return x + 2', '4 +', 'return x + 1'],
    ]);
    expect(await pair.locator('tbody .c-string').allInnerTexts()).toHaveLength(4);
    const again = await openPage(browser, shown.url());
    await again.page.locator('table.beside').waitFor();
    expect(await again.page.locator('table.beside thead th').allInnerTexts()).toEqual([
      expect.stringMatching(/^a, calm, loop 1, generate\s+wrong output/),
      expect.stringMatching(/^a, loop 1, generate\s+pass/),
    ]);
  });

  test('hostile code, prompts and messages stay text wherever they are shown', async () => {
    const { page: shown, complaints, requests } = await openPage(browser, `${address}#examples?model=b`);
    await open(shown, 's', 'b');
    await shown.getByLabel('Side by side with').selectOption({ label: 'a, calm: wrong output' });
    await shown.locator('table.beside').waitFor();
    for (const part of ['.failure dd', 'table.beside td', 'details.prompts ins'])
      expect((await shown.locator(part).allTextContents()).join(' ')).toContain('<img src=x onerror=');
    expect(await shown.locator('img, #example-body script').count()).toBe(0);
    expect(await shown.title()).toBe('r · evenkeel');
    expect([requests.length, complaints]).toEqual([1, []]);
  });

  test.each(['light', 'dark'] as const)(
    'in %s code and changes have a contrast of 4.5 at least',
    async (colorScheme) => {
      const { page: shown } = await openPage(browser, `${address}#examples?variant=calm`, { colorScheme });
      await open(shown, 'calm', 'a');
      await shown.getByLabel('Side by side with').selectOption({ label: 'b, original: exception' });
      await shown.locator('table.beside').waitFor();
      expect((await contrasts(shown)).filter(({ ratio }) => ratio < 4.5)).toEqual([]);
    },
  );

  test('on a phone two codes fit without scrolling sideways', async () => {
    const { page: shown } = await openPage(browser, `${address}#examples`, { viewport: { width: 390, height: 844 } });
    await open(shown, 'calm', 'a');
    await shown.getByLabel('Side by side with').selectOption({ label: 'a, original: pass' });
    await shown.locator('table.beside').waitFor();
    expect(await shown.locator('#example').evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth)).toBe(true);
  });
});
