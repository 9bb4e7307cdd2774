import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitOf } from '../../../activities/runs/version.ts';

test('the commit of a clone, and whether its files differ from it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-clone-'));
  try {
    const git = (...words: readonly string[]): string =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
        encoding: 'utf8',
      });
    expect(commitOf(folder)).toBeNull();
    git('init', '--quiet');
    writeFileSync(join(folder, 'file'), 'one');
    git('add', 'file');
    git('commit', '--quiet', '--message', 'one');
    const commit = git('rev-parse', 'HEAD').trim();
    expect(commitOf(folder)).toBe(commit);
    // What a clone's user keeps next to the program is no part of it.
    writeFileSync(join(folder, 'notes'), 'mine');
    expect(commitOf(folder)).toBe(commit);
    writeFileSync(join(folder, 'file'), 'two');
    expect(commitOf(folder)).toBe(`${commit}.dirty`);
    // A package in a folder of somebody's repository has no commit of its own.
    mkdirSync(join(folder, 'node_modules'));
    expect(commitOf(join(folder, 'node_modules'))).toBeNull();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
