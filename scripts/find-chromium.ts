/** Where a browser of the Chromium family lies on this machine. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** `CHROMIUM_PATH` alone where it is set, else the usual names on PATH and the usual places; null where there is none. */
export function findChromium(env: NodeJS.ProcessEnv): string | null {
  const told = env['CHROMIUM_PATH'];
  const folders = [...(env['PATH'] ?? '').split(delimiter).filter(Boolean), '/usr/bin', '/snap/bin'];
  const usual = [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...applications];
  return (told === undefined ? usual : [told]).find((file) => existsSync(file)) ?? null;
}
