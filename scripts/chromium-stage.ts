/** Finds a browser for the tests of the report, or installs one on a machine that is only used for tests. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from './find-chromium.ts';
import type { Stage } from './stage.ts';

const installLimitMs = 180_000;

export const chromiumStage = (required: boolean): Stage => ({
  name: 'Chromium',
  run: async () => {
    const reason =
      findChromium(process.env) === null
        ? required
          ? install()
          : 'only installed if EVENKEEL_REQUIRE names it'
        : null;
    const found = findChromium(process.env);
    if (found !== null) {
      console.log(found);
      return { result: 'passed', notes: [] };
    }
    const why = reason ?? 'installed, but not found';
    const note = `no Chromium: ${why}; set CHROMIUM_PATH or install the package chromium`;
    console.log(note);
    return { result: required ? 'failed' : 'not run', notes: [note] };
  },
});

/**
 * Installs Chromium with apt-get, as root and only if EVENKEEL_SETUP_ENGINE allows it. Returns why nothing was
 * installed, or null.
 */
function install(): string | null {
  if (process.env['EVENKEEL_SETUP_ENGINE'] !== '1') return 'not installed here (EVENKEEL_SETUP_ENGINE is not 1)';
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return 'installing it needs root and apt-get';
  const deadlineMs = performance.now() + installLimitMs;
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', 'chromium']]) {
    const { status, stderr, error } = spawnSync('apt-get', args, {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: Math.max(1, deadlineMs - performance.now()),
    });
    if (status !== 0) return `apt-get ${args[0]}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? status}`;
  }
  return null;
}
