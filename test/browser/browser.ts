/** A report in a real browser: opened from a file, with everything that it logs and asks for noted. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/find-chromium.ts';

export const executablePath = findChromium(process.env);

/** For a test's name, where there is no browser. */
export const needsChromium = executablePath === null ? ' (needs Chromium: none found; CHROMIUM_PATH names one)' : '';

/** Chromium's own sandbox does not start as root. The pages here load nothing. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: executablePath ?? '', args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });

export interface OpenPage {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught exceptions. */
  readonly complaints: readonly string[];
  /** Everything asked for, the page itself included. */
  readonly requests: readonly string[];
}

export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenPage> {
  const page = await (await browser.newContext(options)).newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(address);
  return { page, complaints, requests };
}
