import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Red before: the specs that were written kept the next try from writing any ("already exists").
test('when the last file cannot be written, none is left, and the same command can be given again', async () => {
  const folder = join(temporaryFolder(), 'study');
  const inTheWay = join(folder, 'evenkeel.schema.json');
  mkdirSync(inTheWay, { recursive: true });
  const failed = await runCommand(['init', folder], process.env);
  expect(failed.status).not.toBe(0);
  expect(readdirSync(folder)).toEqual(['evenkeel.schema.json']);
  rmdirSync(inTheWay);
  const again = await runCommand(['init', folder], process.env);
  expect(again.status, again.output).toBe(0);
  expect(readdirSync(folder)).toContain('evaloop.yaml');
});
