/** Finds a browser of the Chromium family on this machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Only `CHROMIUM_PATH` if it is set, else the usual names on PATH and the usual places; null if there is none.
 */
export function findChromium(env: NodeJS.ProcessEnv): string | null {
  const told = env['CHROMIUM_PATH'];
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/bin', '/snap/bin'];
  const usual = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...applications];
  return (told === undefined ? usual : [told]).find((file) => existsSync(file)) ?? null;
}
