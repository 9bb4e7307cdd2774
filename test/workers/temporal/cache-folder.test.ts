/** The XDG base directory specification 0.8: a relative path in one of its variables is invalid and to be ignored. */
import { expect, test } from 'vitest';
import { cacheFolder } from '../../../workers/temporal/cache-folder.ts';

test.each([
  [{ HOME: '/home/me' }, '/home/me/.cache/evenkeel'],
  [{ HOME: '/home/me', XDG_CACHE_HOME: '/big/caches' }, '/big/caches/evenkeel'],
  [{ HOME: '/home/me', XDG_CACHE_HOME: '' }, '/home/me/.cache/evenkeel'],
  [{ HOME: '/home/me', XDG_CACHE_HOME: 'caches' }, '/home/me/.cache/evenkeel'],
  [{ HOME: '/home/me', XDG_CACHE_HOME: './caches' }, '/home/me/.cache/evenkeel'],
  [{ HOME: '/home/me', XDG_CACHE_HOME: '/big/caches', EVENKEEL_CACHE: '/own' }, '/own'],
])('%j', (env, folder) => {
  expect(cacheFolder(env)).toBe(folder);
});
