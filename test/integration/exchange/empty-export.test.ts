import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { smallRun } from '../../support/small-run.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Red before: "wrote 0 lines", and nothing more.
test('a file without lines says why it has none', async () => {
  const folder = temporaryFolder();
  await smallRun(folder);
  const to = ['--out', join(folder, 'sample.jsonl'), '--runs-dir', join(folder, 'runs')];
  const { status, stdout, stderr } = await runCommand(['export', 'small', '--format', 'label-sample', ...to]);
  expect([status, stdout, stderr]).toEqual([
    0,
    expect.stringContaining('wrote 0 lines'),
    expect.stringContaining('note: the file is empty: only specificity studies have prompts to label'),
  ]);
}, 120_000);
