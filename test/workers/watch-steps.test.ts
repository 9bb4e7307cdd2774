/**
 * What `schedule serve` refuses of what a Temporal server tells it;
 * test/integration/schedule.test.ts has what it carries out.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createWatchSteps } from '../../workers/watch/watch-steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let root = '';
let typed: (readonly string[])[] = [];

beforeEach(() => {
  root = temporaryFolder();
  typed = [];
  for (const folder of ['watch', 'watch-other']) mkdirSync(join(root, folder));
  for (const file of ['watch/nightly.yaml', 'watch-other/nightly.yaml', 'secret.yaml'])
    writeFileSync(join(root, file), '');
  symlinkSync(join(root, 'secret.yaml'), join(root, 'watch', 'link.yaml'));
});

const carriedOut = (order: Readonly<Record<string, string>>): Promise<void> => {
  const steps = createWatchSteps(join(root, 'runs'), join(root, 'watch'), (words) => {
    typed.push(words);
    return Promise.resolve({ status: 0, said: '' });
  });
  const inside = join(root, 'watch', 'nightly.yaml');
  return steps.carryOutRun({ name: 'n', run: 'n-1', spec: inside, policy: inside, against: 'base', ...order });
};

// Red without `checkStep`: any path of the machine was run with its keys.
test.each([
  ['spec', 'secret.yaml'],
  ['spec', 'watch-other/nightly.yaml'],
  ['spec', 'watch/../secret.yaml'],
  ['spec', 'watch/link.yaml'],
  ['spec', 'nothing-there.yaml'],
  ['policy', 'secret.yaml'],
])('a %s outside the operator’s folder is refused for good: %s', async (field, path) => {
  await expect(carriedOut({ [field]: join(root, path) })).rejects.toMatchObject({
    message: expect.stringMatching(
      / is not in .*watch, the folder from which `schedule serve` reads specs and policies; use --specs/,
    ),
    nonRetryable: true,
  });
  expect(typed).toEqual([]);
});

test.each(['../other', '--json', '/etc'])('a run named %s is refused', async (run) => {
  await expect(carriedOut({ run })).rejects.toMatchObject({
    message: expect.stringContaining("a run's name must be"),
    nonRetryable: true,
  });
});

test('files in the folder are accepted, up to the call of Temporal’s context', async () => {
  await expect(carriedOut({})).rejects.toThrow(/context/i);
});
