import { expect, test } from 'vitest';
import { commandName } from '../../cli/command-name.ts';

test.each([
  ['/usr/local/bin/evenkeel', 'evenkeel'],
  ['/home/me/.npm-global/bin/evenkeel', 'evenkeel'],
  ['/home/me/.npm/_npx/0a/node_modules/.bin/evenkeel', 'npx evenkeel'],
  ['/home/me/project/node_modules/.bin/evenkeel', 'npx evenkeel'],
  ['/home/me/evenkeel/bin/evenkeel.mjs', 'npx evenkeel'],
])('started as %s, hints say %s', (started, name) => {
  expect(commandName(started)).toBe(name);
});
