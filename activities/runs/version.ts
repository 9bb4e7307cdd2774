/** This program's version, from its package, and the commit that it was built from. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const find = (): string => {
  // Three levels up in dist/, two in a clone.
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (name === 'evenkeel' && version !== undefined) return version;
    } catch {}
  }
  return 'unknown';
};

export const programVersion = find();

/** Written when a package is built: the commit, with `.dirty` if tracked files differed from it. */
const builtFrom = new URL('../../built-from.txt', import.meta.url);
const clone = fileURLToPath(new URL('../..', import.meta.url));
const gitMs = 10_000;

/**
 * The version with the commit, as semantic versioning writes it: `0.1.0+1a2b....dirty`. Dirty: tracked files differ
 * from the commit. Only the version where neither a clone nor the package tells the commit.
 */
export function programIdentity(): string {
  const commit = existsSync(builtFrom) ? readFileSync(builtFrom, 'utf8').trim() : commitOf(clone);
  return commit === null ? programVersion : `${programVersion}+${commit}`;
}

/** Of a clone whose root is `folder`; null for any other folder, and without git. */
export function commitOf(folder: string): string | null {
  if (!existsSync(`${folder}/.git`)) return null;
  try {
    const commit = git(folder, 'rev-parse', 'HEAD').trim();
    const isDirty = git(folder, 'status', '--porcelain', '--untracked-files=no').trim() !== '';
    return isDirty ? `${commit}.dirty` : commit;
  } catch {
    return null;
  }
}

function git(folder: string, ...words: readonly string[]): string {
  const { GIT_DIR: _folder, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = process.env;
  return execFileSync('git', ['-C', folder, ...words], {
    ...{ encoding: 'utf8', env, timeout: gitMs, stdio: ['ignore', 'pipe', 'ignore'] },
  });
}
