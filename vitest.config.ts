import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';
import { longFiles } from './test/support/forms/long-files.ts';

/** Folders of `test/` that are projects of their own; all else there is a unit or property test. */
const apart = ['browser', 'integration', 'e2e', 'soak'];

/** Files of unit-sized tests that start real sandbox processes. */
const sandboxes = [
  ...['encoding', 'hostile', 'lacks', 'outcomes', 'recovery', 'rollback', 'test-code'].map(
    (name) => `test/sandbox/${name}.test.ts`,
  ),
  'test/sandbox/container/**/*.test.ts',
];

const leftOut = process.env['EVENKEEL_TESTS'] === 'short' ? [...longFiles] : [];

/** Tests that share one PostgreSQL and one S3 server, started for them. */
const remoteStores = 'test/contract/stores/remote/**/*.test.ts';

/** What the many commands that tests start would compile anew each. */
const compiled = fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url));

/**
 * Real servers, sandboxes and commands: one file at a time, in processes, since native modules
 * and ports do not like company.
 */
const oneAtATime = {
  pool: 'forks',
  fileParallelism: false,
  // Whatever engine the machine has: tests of the container tier open it themselves.
  // What earlier runs executed is executed again.
  env: { EVENKEEL_SANDBOX: 'embedded', EVENKEEL_EXECUTION_CACHE: 'off', NODE_COMPILE_CACHE: compiled },
} as const;

/** Whole runs in folders of their own, and sandboxes, which spend much of their time waiting. */
const atATime = (maxWorkers: number) => ({ ...oneAtATime, fileParallelism: true, maxWorkers }) as const;

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...apart.map((folder) => `test/${folder}/**`), ...sandboxes, remoteStores],
          pool: 'forks',
          isolate: false,
          maxWorkers: 3,
          env: { NODE_COMPILE_CACHE: compiled },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'sandbox', include: sandboxes, ...atATime(2), testTimeout: 90_000, hookTimeout: 90_000 } },
      {
        test: {
          name: 'stores',
          include: [remoteStores],
          globalSetup: 'test/contract/stores/remote/servers.ts',
          ...atATime(2),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          exclude: leftOut,
          ...atATime(3),
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          ...atATime(2),
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: leftOut,
          ...atATime(3),
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'soak',
          include: ['test/soak/**/*.test.ts'],
          ...oneAtATime,
          testTimeout: 3_600_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
