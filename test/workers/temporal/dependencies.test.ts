import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TEMPORAL_CLI_VERSION } from '../../../workers/temporal/cli-version.ts';

const root = join(import.meta.dirname, '../../..');

test('all @temporalio packages share one protobufjs: with several, replay of JSON histories throws', () => {
  const packages = ['client', 'common', 'proto', 'worker', 'workflow', 'activity', 'core-bridge'];
  const found = packages.map((name) =>
    createRequire(join(root, 'node_modules/@temporalio', name, 'package.json')).resolve('protobufjs/package.json'),
  );
  expect([...new Set(found)]).toEqual([join(root, 'node_modules/protobufjs/package.json')]);
});

test('the pinned Go module is the version of the CLI that the cache is named for', () => {
  const goMod = readFileSync(join(root, 'data/temporal-cli/go.mod'), 'utf8');
  expect(goMod).toContain(`\tgithub.com/temporalio/cli v${TEMPORAL_CLI_VERSION} `);
});

test('the lock file holds every optional platform package that its packages name (npm run lock adds them)', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const known = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)));
  const wanted = Object.values(lock.packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(wanted.length).toBeGreaterThan(20);
  expect(wanted.filter((name) => !known.has(name))).toEqual([]);
});
