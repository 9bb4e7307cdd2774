/**
 * What pip itself would take, by its documentation: the environment before files, a user's file before the machine's,
 * `[install]` before `[global]`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { pipSettings } from '../../activities/sandboxes/container/pip-settings.ts';

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

function homeWith(text: string): string {
  const home = mkdtempSync(join(tmpdir(), 'evenkeel-pip-'));
  homes.push(home);
  mkdirSync(join(home, '.config', 'pip'), { recursive: true });
  writeFileSync(join(home, '.config', 'pip', 'pip.conf'), text);
  return home;
}

const company = [
  '[global]',
  '# index-url = https://nobody.example',
  'index-url = https://index.example/simple',
  'extra-index-url =',
  '    https://one.example/simple',
  '    https://two.example/simple',
  'cert = /etc/company.pem',
  'find-links = /srv/wheels',
  '[install]',
  'trusted_host: index.example',
  'timeout = 20',
  '[download]',
  'timeout = 99',
].join('\n');

test("a company's index travels to a build, paths of this machine do not", () => {
  expect(pipSettings({ HOME: homeWith(company) })).toBe(
    '[global]\nindex-url = https://index.example/simple\nextra-index-url = https://one.example/simple ' +
      'https://two.example/simple\ntrusted-host = index.example\ntimeout = 20\n',
  );
});

test('the environment comes before files, and a named file before others', () => {
  const home = homeWith(company);
  const named = join(home, 'named.conf');
  writeFileSync(named, '[global]\ntimeout = 7\nindex-url = https://named.example/simple\n');
  const settings = pipSettings({
    HOME: home,
    PIP_CONFIG_FILE: named,
    PIP_INDEX_URL: 'https://env.example/simple',
    PIP_TRUSTED_HOST: '',
  });
  expect(settings.split('\n').slice(0, 2)).toEqual(['[global]', 'index-url = https://env.example/simple']);
  expect(settings).toContain('timeout = 7\n');
  expect(settings).toContain('trusted-host = index.example\n');
});

test('a relative XDG_CONFIG_HOME is ignored, as the XDG specification says', () => {
  const home = homeWith(company);
  expect(pipSettings({ HOME: home, XDG_CONFIG_HOME: 'settings' })).toBe(pipSettings({ HOME: home }));
  expect(pipSettings({ HOME: '/nowhere', XDG_CONFIG_HOME: join(home, '.config') })).toBe(pipSettings({ HOME: home }));
});
